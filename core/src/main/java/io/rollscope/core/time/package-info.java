/** Nanoseconds since an epoch as {@code long}: exact conversion from and to seconds. */
package io.rollscope.core.time;
