/** Metrics of a run: how they are called, which there are, and charts of them. */
package io.rollscope.core.metric;
