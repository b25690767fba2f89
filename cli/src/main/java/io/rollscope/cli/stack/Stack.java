package io.rollscope.cli.stack;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.process.Bond;
import io.rollscope.cli.process.ProcessIdentity;
import io.rollscope.cli.stack.StackState.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The processes beside a server. */
public final class Stack {
  private static final Duration START_PATIENCE = Duration.ofSeconds(60);
  private static final Duration END_PATIENCE = Duration.ofSeconds(10);
  private static final long LOOK_EVERY_MS = 50;

  private final Path folder;

  /**
   * @param folder where configuration, data, logs and the list of what runs are kept
   */
  public Stack(Path folder) {
    this.folder = folder;
  }

  /**
   * A line of {@code stack status}.
   *
   * @param state {@code ready}, {@code starting} or {@code dead}
   * @param detail why it is not ready, or null
   */
  public record Line(String name, String state, Long pid, String url, String log, String detail) {}

  /** All lines, for machines. */
  public record Report(List<Line> parts) {}

  /** Whether anything of it runs. */
  public boolean isRunning() throws IOException {
    return running().parts().stream().anyMatch(part -> part.process().isPresent());
  }

  private StackState running() throws IOException {
    return StackState.read(StackPlan.state(folder));
  }

  /**
   * Starts all parts of a plan and waits until each can be used; if one cannot, ends those that
   * were started.
   *
   * @param bond whether they outlive this process
   * @param waiting told which part is waited for, and for how long
   */
  public void start(StackPlan plan, Bond bond, BiConsumer<String, Duration> waiting)
      throws IOException, InterruptedException {
    List<Running> started = new ArrayList<>();
    Thread hook = new Thread(() -> end(started), "rollscope-end-half-started-stack");
    Runtime.getRuntime().addShutdownHook(hook);
    boolean complete = false;
    try {
      for (Part part : plan.programs().keySet()) {
        Running running = launch(plan, part, bond);
        started.add(running);
        new StackState(List.copyOf(started)).write(StackPlan.state(folder));
        awaitReady(part, running, waiting);
      }
      complete = true;
    } finally {
      Runtime.getRuntime().removeShutdownHook(hook);
      if (!complete) {
        end(started);
        Files.deleteIfExists(StackPlan.state(folder));
      }
    }
  }

  private static Running launch(StackPlan plan, Part part, Bond bond) throws IOException {
    String taken = plan.url(part);
    if (Ready.whyNot(taken + part.readyPath()) == null) {
      throw Failure.of(
          part.word(),
          "something answers at " + taken,
          "a free port; --" + part.word() + "-port takes another");
    }
    Path log = plan.log(part);
    List<String> command = new ArrayList<>(bond.wrapper());
    command.addAll(plan.command(part));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(log.toFile())
            .redirectErrorStream(true)
            .start();
    ProcessIdentity identity = ProcessIdentity.of(process.pid());
    return new Running(
        part.word(), identity.pid(), identity.start(), plan.url(part), log.toString());
  }

  private static void awaitReady(Part part, Running running, BiConsumer<String, Duration> waiting)
      throws IOException, InterruptedException {
    long started = System.nanoTime();
    while (true) {
      String whyNot = Ready.whyNot(running.url() + part.readyPath());
      boolean lives = running.process().isPresent();
      if (whyNot == null && lives) {
        return;
      }
      Duration waited = Duration.ofNanos(System.nanoTime() - started);
      if (!lives) {
        throw Failure.of(
            part.word(),
            "ended: " + Logs.lastLine(Path.of(running.log())),
            "a start; see " + running.log());
      }
      if (waited.compareTo(START_PATIENCE) > 0) {
        throw Failure.of(
            part.word(),
            whyNot + " after " + START_PATIENCE.toSeconds() + " s",
            "a start; see " + running.log());
      }
      waiting.accept(part.word(), waited);
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  /** How each part is doing. */
  public List<Line> status() throws IOException {
    List<Line> lines = new ArrayList<>();
    for (Running part : running().parts()) {
      lines.add(line(part));
    }
    return lines;
  }

  private static Line line(Running part) throws IOException {
    if (part.process().isEmpty()) {
      String words = Logs.lastLine(Path.of(part.log()));
      return new Line(part.name(), "dead", null, part.url(), part.log(), words);
    }
    String path = Part.valueOf(part.name().toUpperCase(java.util.Locale.ROOT)).readyPath();
    String whyNot = Ready.whyNot(part.url() + path);
    String state = whyNot == null ? "ready" : "starting";
    return new Line(part.name(), state, part.pid(), part.url(), part.log(), whyNot);
  }

  /** Tells of each part that has died since the last look. */
  public List<Line> dead() throws IOException {
    return status().stream().filter(line -> line.state().equals("dead")).toList();
  }

  /**
   * Ends all parts.
   *
   * @return the names of those that ran
   */
  public List<String> stop(Consumer<String> notes) throws IOException {
    List<Running> parts = running().parts();
    List<String> ended =
        parts.stream().filter(p -> p.process().isPresent()).map(Running::name).toList();
    for (String killed : end(parts)) {
      notes.accept(killed + " did not end within " + END_PATIENCE.toSeconds() + " s and is killed");
    }
    Files.deleteIfExists(StackPlan.state(folder));
    return ended;
  }

  /** The last started first; the names of those that had to be killed. */
  private static List<String> end(List<Running> parts) {
    List<String> killed = new ArrayList<>();
    for (int i = parts.size() - 1; i >= 0; i--) {
      Running part = parts.get(i);
      Optional<ProcessHandle> process = part.process();
      process.ifPresent(ProcessHandle::destroy);
      if (process.isPresent() && !awaitEnd(part)) {
        killed.add(part.name());
        part.process().ifPresent(ProcessHandle::destroyForcibly);
        awaitEnd(part);
      }
    }
    return killed;
  }

  private static boolean awaitEnd(Running part) {
    long deadline = System.nanoTime() + END_PATIENCE.toNanos();
    while (part.process().isPresent()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
