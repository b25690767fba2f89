package io.rollscope.sdk.internal.setting;

import io.rollscope.sdk.Signal;
import io.rollscope.sdk.Transport;
import io.rollscope.sdk.internal.metric.Metrics;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was said in code; null where nothing was. */
public final class Choices {
  public Boolean enabled;
  public String run;
  public String runId;
  public String project;
  public String service;
  public Map<Signal, URI> endpoints;
  public String token;
  public Path spool;
  public String spoolCompress;
  public Long spoolMaxBytes;
  public Transport transport;
  public Boolean viewer;
  public Boolean quiet;
  public Boolean hostMetrics;
  public Boolean stacks;
  public String role;
  public Long rank;
  public int buffer = 100_000;
  public int maxText = 4_096;
  public int maxContent;
  public boolean stackTraces;
  public double[] buckets = Metrics.defaultBounds();
  public Duration deadline = Duration.ofSeconds(5);
  public final Map<String, String> headers = new LinkedHashMap<>();
  public final Map<String, String> resource = new LinkedHashMap<>();
}
