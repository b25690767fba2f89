package io.rollscope.sdk.internal.viewer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server process. It ends when this one does, in whichever way: its standard input does then. */
final class Child {
  private static final long PATIENCE_S = 60;
  private static final long STOP_S = 10;

  /** Starts the server, and stops it when there is nothing more to read. */
  private static final String SUPERVISE =
      """
      exec 3<&0
      "$@" </dev/null 3<&- & server=$!
      { cat >/dev/null; kill $server; } <&3 2>/dev/null & reader=$!
      exec 3<&-
      wait $server
      kill $reader 2>/dev/null
      """;

  private final Process process;
  private final Path scratch;
  private final String url;
  private final String otlpHttp;

  private Child(Process process, Path scratch, String url, String otlpHttp) {
    this.process = process;
    this.scratch = scratch;
    this.url = url;
    this.otlpHttp = otlpHttp;
  }

  /** Waits until it says where it is. */
  static Child start(Launcher launcher, List<String> words, int port, String token, Path scratch)
      throws ViewerException, IOException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SUPERVISE, "rollscope-viewer"));
    command.add(launcher.path());
    command.addAll(words);
    command.addAll(List.of("--format", "json"));
    launcher.unlessSet("ROLLSCOPE_PORT", "--port", port, command);
    launcher.unlessSet("ROLLSCOPE_OTLP_GRPC_PORT", "--otlp-grpc-port", 0, command);
    Path said = scratch.resolve("stdout");
    Path problems = scratch.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(said.toFile()).redirectError(problems.toFile());
    launcher.setUp(builder, token);
    Process process = builder.start();
    try {
      return awaited(process, said, problems, scratch);
    } catch (ViewerException | IOException e) {
      new Child(process, scratch, null, null).stop();
      throw e;
    }
  }

  private static Child awaited(Process process, Path said, Path problems, Path scratch)
      throws ViewerException, IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (true) {
      boolean ended = !process.isAlive();
      String text = Files.readString(said, UTF_8);
      String url = value(text, "url");
      String otlp = value(text, "otlp_http");
      if (url != null && otlp != null) {
        return new Child(process, scratch, url, otlp);
      }
      if (ended || System.nanoTime() > end) {
        String why = lastLine(Files.readString(problems, UTF_8));
        throw new ViewerException(why.isEmpty() ? "rollscope did not say where it is" : why);
      }
      pause();
    }
  }

  private static void pause() throws ViewerException {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ViewerException("interrupted while it started");
    }
  }

  private static String value(String json, String key) {
    Matcher found = Pattern.compile('"' + key + "\"\\s*:\\s*\"([^\"]+)\"").matcher(json);
    return found.find() ? found.group(1) : null;
  }

  private static String lastLine(String text) {
    String[] lines = text.strip().split("\n");
    return lines[lines.length - 1].strip();
  }

  String url() {
    return url;
  }

  String otlpHttp() {
    return otlpHttp;
  }

  void stop() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_S, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      delete(scratch);
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroy();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }
}
