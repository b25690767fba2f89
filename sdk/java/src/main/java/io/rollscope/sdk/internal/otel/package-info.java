/** OpenTelemetry's API over our spans, so that code written for it records here. */
package io.rollscope.sdk.internal.otel;
