/** What the collector tells about itself at {@code /metrics}. */
package io.rollscope.server.metrics;
