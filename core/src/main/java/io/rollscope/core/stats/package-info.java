/** Statistics over durations: percentiles and summaries. */
package io.rollscope.core.stats;
