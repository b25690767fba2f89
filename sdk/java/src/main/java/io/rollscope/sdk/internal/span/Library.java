package io.rollscope.sdk.internal.span;

/**
 * The code that made a span: OpenTelemetry's instrumentation scope.
 *
 * @param version or null
 */
public record Library(String name, String version) {
  public static final Library OWN = new Library("rollscope", null);
}
