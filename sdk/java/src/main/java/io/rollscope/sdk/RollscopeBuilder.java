package io.rollscope.sdk;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.send.Pace;
import io.rollscope.sdk.internal.setting.Choices;
import io.rollscope.sdk.internal.setting.Endpoints;
import io.rollscope.sdk.internal.setting.Environment;
import io.rollscope.sdk.internal.setting.Settings;
import io.rollscope.sdk.internal.setting.Spool;
import io.rollscope.sdk.internal.span.WallClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Sets the SDK up. What is not said here is taken from the environment, see {@code
 * docs/sdk-java.md}. Wrong values throw {@link IllegalArgumentException}.
 */
public final class RollscopeBuilder {
  private final Choices choices = new Choices();
  private Map<String, String> variables = System.getenv();
  private Warnings warnings = Warnings.toSystemLog();
  private Pace pace = Pace.USUAL;
  private WallClock clock;
  private boolean global;

  RollscopeBuilder() {}

  /** Name of the run. */
  public RollscopeBuilder run(String name) {
    choices.run = named("run", name);
    return this;
  }

  /** Id of the run, if its name is not unique. */
  public RollscopeBuilder runId(String id) {
    choices.runId = named("runId", id);
    return this;
  }

  public RollscopeBuilder project(String project) {
    choices.project = named("project", project);
    return this;
  }

  /** Where the collector is: {@code host:4318}, or a URL. */
  public RollscopeBuilder endpoint(String endpoint) {
    choices.endpoints = Endpoints.below(named("endpoint", endpoint));
    return this;
  }

  public RollscopeBuilder token(String token) {
    choices.token = named("token", token);
    return this;
  }

  /** Sent with every request. */
  public RollscopeBuilder header(String name, String value) {
    choices.headers.put(named("header", name), value);
    return this;
  }

  /** Writes files there instead of sending. */
  public RollscopeBuilder spool(Path folder) {
    if (folder == null) {
      throw wrong("spool", null, "a folder");
    }
    choices.spool = folder;
    return this;
  }

  /** How files are compressed: {@code gzip} or {@code none}. */
  public RollscopeBuilder spoolCompress(String compression) {
    if (!Spool.isCompression(compression)) {
      throw wrong("spoolCompress", compression, "gzip or none");
    }
    choices.spoolCompress = compression;
    return this;
  }

  /** What the files of one start may take; the oldest are deleted first. */
  public RollscopeBuilder spoolMaxBytes(long bytes) {
    choices.spoolMaxBytes = atLeast("spoolMaxBytes", bytes, Spool.LEAST_BYTES);
    return this;
  }

  /** Brings requests away by other means. */
  public RollscopeBuilder transport(Transport transport) {
    if (transport == null) {
      throw wrong("transport", null, "a transport");
    }
    choices.transport = transport;
    return this;
  }

  public RollscopeBuilder enabled(boolean enabled) {
    choices.enabled = enabled;
    return this;
  }

  /** Starts the page with the process of rank 0, and stops it with it. */
  public RollscopeBuilder viewer(boolean viewer) {
    choices.viewer = viewer;
    return this;
  }

  /** Leaves out the line on stderr that says where it records. */
  public RollscopeBuilder quiet(boolean quiet) {
    choices.quiet = quiet;
    return this;
  }

  /** Whether beats say how much CPU and memory the process takes. */
  public RollscopeBuilder hostMetrics(boolean hostMetrics) {
    choices.hostMetrics = hostMetrics;
    return this;
  }

  /** Whether the stack of what is stuck is recorded when the server asks. */
  public RollscopeBuilder stacks(boolean stacks) {
    choices.stacks = stacks;
    return this;
  }

  /** What this process does in the cluster, like {@code rollout}. */
  public RollscopeBuilder role(String role) {
    choices.role = named("role", role);
    return this;
  }

  public RollscopeBuilder rank(long rank) {
    choices.rank = atLeast("rank", rank, 0);
    return this;
  }

  /** An attribute of everything this process records. */
  public RollscopeBuilder resource(String key, String value) {
    choices.resource.put(named("resource", key), named("resource " + key, value));
    return this;
  }

  /** How many spans and points may wait; what comes beyond is dropped, and counted. */
  public RollscopeBuilder buffer(int things) {
    choices.buffer = (int) atLeast("buffer", Math.min(things, 1 << 30), 1);
    return this;
  }

  /** Most characters of an attribute's value. */
  public RollscopeBuilder attributeLength(int characters) {
    choices.maxText = (int) atLeast("attributeLength", characters, 16);
    return this;
  }

  /** Records prompts and completions too, of each at most that many characters. */
  public RollscopeBuilder content(int characters) {
    choices.maxContent = (int) atLeast("content", characters, 1);
    return this;
  }

  /** Records where exceptions come from. */
  public RollscopeBuilder stackTraces(boolean stackTraces) {
    choices.stackTraces = stackTraces;
    return this;
  }

  /** Upper bounds of the buckets of histograms that have no others. */
  public RollscopeBuilder buckets(double... bounds) {
    for (int i = 0; i < bounds.length; i++) {
      if (!Double.isFinite(bounds[i]) || i > 0 && bounds[i] <= bounds[i - 1]) {
        throw wrong("buckets", java.util.Arrays.toString(bounds), "finite and ascending");
      }
    }
    choices.buckets = bounds.clone();
    return this;
  }

  /** How long {@link Rollscope#close} may take. */
  public RollscopeBuilder deadline(Duration deadline) {
    if (deadline == null || deadline.isNegative()) {
      throw wrong("deadline", deadline, "0 or more");
    }
    choices.deadline = deadline;
    return this;
  }

  /** Makes it what {@link GlobalOpenTelemetry} gives. */
  public RollscopeBuilder registerGlobal() {
    global = true;
    return this;
  }

  RollscopeBuilder environment(Map<String, String> instead) {
    variables = instead;
    return this;
  }

  RollscopeBuilder warnings(Warnings instead) {
    warnings = instead;
    return this;
  }

  RollscopeBuilder pace(Pace instead) {
    pace = instead;
    return this;
  }

  RollscopeBuilder clock(WallClock instead) {
    clock = instead;
    return this;
  }

  public Rollscope build() {
    Environment environment = new Environment(variables, warnings);
    Settings settings = Settings.of(choices, environment);
    if (!settings.enabled()) {
      return Rollscope.disabled();
    }
    WallClock time = clock == null ? WallClock.system() : clock;
    Rollscope rs =
        new Rollscope(
            new Assembly(settings, environment, variables, warnings, pace, time).recorder());
    if (global) {
      register(rs);
    }
    return rs;
  }

  private void register(Rollscope rs) {
    try {
      GlobalOpenTelemetry.set(rs.openTelemetry());
    } catch (IllegalStateException e) {
      warnings.once("global", "OpenTelemetry is set up already; its spans do not come here");
    }
  }

  private static String named(String what, String value) {
    if (value == null || value.isBlank()) {
      throw wrong(what, value, "some text");
    }
    return value;
  }

  private static long atLeast(String what, long value, long least) {
    if (value < least) {
      throw wrong(what, value, "at least " + least);
    }
    return value;
  }

  private static IllegalArgumentException wrong(String what, Object value, String expected) {
    return new IllegalArgumentException(what + ": " + value + " (expected: " + expected + ")");
  }
}
