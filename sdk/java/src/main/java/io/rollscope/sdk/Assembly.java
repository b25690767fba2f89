package io.rollscope.sdk;

import io.rollscope.sdk.internal.Propagation;
import io.rollscope.sdk.internal.Warnings;
import io.rollscope.sdk.internal.host.HostMetrics;
import io.rollscope.sdk.internal.metric.Metrics;
import io.rollscope.sdk.internal.send.Pace;
import io.rollscope.sdk.internal.send.Reporters;
import io.rollscope.sdk.internal.send.Sender;
import io.rollscope.sdk.internal.setting.Environment;
import io.rollscope.sdk.internal.setting.SelfReports;
import io.rollscope.sdk.internal.setting.Settings;
import io.rollscope.sdk.internal.setting.Spool;
import io.rollscope.sdk.internal.setting.Worker;
import io.rollscope.sdk.internal.span.Book;
import io.rollscope.sdk.internal.span.Buffer;
import io.rollscope.sdk.internal.span.WallClock;
import io.rollscope.sdk.internal.spool.PieceWriter;
import io.rollscope.sdk.internal.stack.Stacks;
import io.rollscope.sdk.internal.viewer.Viewer;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Puts a recorder together as the settings say. */
record Assembly(
    Settings settings,
    Environment environment,
    Map<String, String> variables,
    Warnings warnings,
    Pace pace,
    WallClock clock) {

  Recorder recorder() {
    Worker worker = Worker.current();
    AtomicReference<Sender> sender = new AtomicReference<>();
    Buffer buffer = new Buffer(settings.choices().buffer, () -> sender.get().wake());
    Book book =
        new Book(
            clock,
            buffer,
            settings.choices().maxText,
            settings.choices().maxContent,
            settings.choices().stackTraces,
            warning -> warnings.once(warning, warning));
    Metrics metrics = new Metrics(book, warnings, settings.choices().buckets);
    Viewer viewer = Viewer.start(settings, variables, warnings, System.out::println);
    Map<Signal, URI> endpoints =
        viewer.endpoints() != null ? viewer.endpoints() : settings.endpoints();
    Object[] resource = worker.resource(settings, environment);
    Transport transport = transport(worker, endpoints);
    Announcement.of(settings, destination(endpoints));
    sender.set(
        new Sender(book, buffer, metrics, transport, resource, warnings, pace, reporters(metrics)));
    return new Recorder(
        new Recorder.Parts(
            book,
            metrics,
            sender.get(),
            warnings,
            Propagation.ambient(variables),
            childVariables(endpoints),
            settings.choices().deadline,
            viewer::close));
  }

  /** Where it records, for people. */
  String destination(Map<Signal, URI> endpoints) {
    if (settings.choices().transport != null) {
      Class<?> kind = settings.choices().transport.getClass();
      return kind.getSimpleName().isEmpty() ? kind.getName() : kind.getSimpleName();
    }
    return settings.spool() != null
        ? settings.spool().root().toString()
        : String.valueOf(base(endpoints.get(Signal.TRACES)));
  }

  /** The address below which the signals' paths are, or the whole address if it is another. */
  private static String base(URI traces) {
    String address = traces.toString();
    String path = Signal.TRACES.path();
    return address.endsWith(path)
        ? address.substring(0, address.length() - path.length())
        : address;
  }

  private Reporters reporters(Metrics metrics) {
    SelfReports wanted = settings.selfReports();
    LongSupplier ticks = System::nanoTime;
    return new Reporters(
        wanted.hostMetrics()
            ? new HostMetrics(metrics, settings.role(), settings.rank(), ticks)
            : null,
        wanted.stacks() ? new Stacks(ticks) : null);
  }

  private Transport transport(Worker worker, Map<Signal, URI> endpoints) {
    if (settings.choices().transport != null) {
      return settings.choices().transport;
    }
    return settings.spool() != null
        ? new SpoolTransport(pieces(settings.spool(), worker), warnings)
        : new OtlpTransport(settings.otlp(endpoints, environment));
  }

  private PieceWriter.Setup pieces(Spool spool, Worker worker) {
    return new PieceWriter.Setup(
        spool.folder(settings.run()),
        worker.fileName(),
        spool.isCompressed(),
        spool.maxBytes(),
        SpoolTransport.PIECE_BYTES,
        SpoolTransport.PIECE_AGE);
  }

  private Map<String, String> childVariables(Map<Signal, URI> endpoints) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("ROLLSCOPE_ENABLED", "1");
    all.put("ROLLSCOPE_RUN", settings.run());
    all.put("ROLLSCOPE_RUN_ID", settings.runId());
    put(all, "ROLLSCOPE_PROJECT", settings.project());
    put(all, "ROLLSCOPE_TOKEN", settings.token());
    settings.selfReports().addTo(all);
    if (settings.spool() != null) {
      settings.spool().addTo(all);
    } else if (endpoints != null) {
      String traces = endpoints.get(Signal.TRACES).toString();
      if (traces.endsWith(Signal.TRACES.path())) {
        all.put(
            "ROLLSCOPE_URL", traces.substring(0, traces.length() - Signal.TRACES.path().length()));
      }
    }
    return Map.copyOf(all);
  }

  private static void put(Map<String, String> all, String key, String value) {
    if (value != null) {
      all.put(key, value);
    }
  }
}
