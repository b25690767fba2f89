/**
 * What a request says, normalised: spans that began or ended, verdicts, signs of life, metric
 * points. Everything downstream of the receivers works on these.
 */
package io.rollscope.otlp.record;
