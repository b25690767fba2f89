/** What each beat says of the process itself. */
package io.rollscope.sdk.internal.host;
