package io.rollscope.otlp.record;

/**
 * The process that sent something: the resource of a request. All spans of one resource share it.
 *
 * @param instance {@code service.instance.id}: the process by which spans are found to be lost, or
 *     null
 * @param runFallback run of traces that name none: a tailed folder's name, else {@code
 *     service.name}, else {@code unknown}
 * @param clock {@code utc}, or {@code relative:<source>}
 * @param source {@code otlp}, or the format of the file it was read from
 * @param file whether it was read from a file: when that was written, nobody knows
 */
public record Origin(
    String instance,
    String service,
    String project,
    String system,
    String host,
    Long pid,
    String workerRole,
    Long workerRank,
    String runFallback,
    String clock,
    String source,
    boolean file,
    Attributes attributes) {

  /** The same without attributes. */
  public Origin bare() {
    return new Origin(
        instance,
        service,
        project,
        system,
        host,
        pid,
        workerRole,
        workerRank,
        runFallback,
        clock,
        source,
        file,
        Attributes.NONE);
  }
}
