/** Where a session's time went: every nanosecond belongs to one stage or to one named wait. */
package io.rollscope.core.accounting;
