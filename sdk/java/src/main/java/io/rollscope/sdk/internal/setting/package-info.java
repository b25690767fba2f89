/**
 * Where settings come from: code, then ROLLSCOPE_ variables, then OTEL_ variables, then defaults.
 */
package io.rollscope.sdk.internal.setting;
