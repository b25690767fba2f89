/** What a span costs its caller, and whether everything arrives at full speed. */
package io.rollscope.benchmarks.sdk;
