package io.rollscope.cli.demo;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.resources.ResourceBuilder;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The simulated processes of a run, made when first needed; their hearts beat until they end. */
final class Fleet {
  private static final long BEAT_S = 10;
  private static final long END_S = 5;

  /** What a process does, and its number among those that do the same. */
  record Place(String role, long rank) {}

  private final String run;
  private final URI server;
  private final String token;
  private final Map<Place, OtelProcess> processes = new ConcurrentHashMap<>();
  private final ScheduledExecutorService hearts =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "rollscope-demo-beats");
            thread.setDaemon(true);
            return thread;
          });
  private final Future<?> beating;
  private int made;

  Fleet(String run, URI server, String token) {
    this.run = run;
    this.server = server;
    this.token = token;
    beating =
        hearts.scheduleAtFixedRate(
            () -> processes.values().forEach(OtelProcess::beat), BEAT_S, BEAT_S, TimeUnit.SECONDS);
  }

  /** The process at a place; one that has died is replaced by a new one. */
  OtelProcess at(Place place) {
    OtelProcess there = processes.get(place);
    if (there == null || !there.isAlive()) {
      there = new OtelProcess(resource(place), server, token);
      there.beat();
      processes.put(place, there);
    }
    return there;
  }

  private Resource resource(Place place) {
    made++;
    ResourceBuilder resource =
        Resource.builder()
            .put("service.name", "rollscope-demo")
            .put("service.instance.id", UUID.randomUUID().toString())
            .put("host.name", "node-" + place.rank())
            .put(AttributeKey.longKey("process.pid"), 10_000L + made)
            .put("rl.run.id", run)
            .put("rl.run.name", "simulated asynchronous GRPO")
            .put("rl.project", "demo")
            .put("rl.system", "rollscope-simulator")
            .put("rl.worker.role", place.role())
            .put(AttributeKey.longKey("rl.worker.rank"), place.rank());
    return resource.build();
  }

  /** All end in order. */
  void end() {
    beating.cancel(false);
    hearts.shutdown();
    List<CompletableResultCode> ends = new ArrayList<>();
    processes.values().forEach(process -> ends.add(process.end()));
    CompletableResultCode.ofAll(ends).join(END_S, TimeUnit.SECONDS);
  }
}
