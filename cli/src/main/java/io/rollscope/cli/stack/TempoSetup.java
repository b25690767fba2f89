package io.rollscope.cli.stack;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.render.Console;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one Tempo's configuration has that another's has not.
 *
 * @param major version, whose settings it takes
 * @param otlpHttp port that spans are forwarded to
 * @param grpc port by which its parts talk to each other
 */
public record TempoSetup(int major, int otlpHttp, int otlpGrpc, int grpc) {
  /** Of the image that {@code docker-compose.yml} names. */
  static final TempoSetup IN_CONTAINER = new TempoSetup(2, 14318, 14317, 9095);

  private static final String SUPPORTED = "2.x or 3.x";
  private static final Pattern VERSION = Pattern.compile("\\bversion v?((\\d{1,4})\\.\\d\\S*)");
  private static final int PATIENCE_S = 10;
  private static final int MOST_BYTES = 4_096;
  private static final int MOST_SHOWN = 120;

  /** Of a program: its version is asked, and ports are taken that are free. */
  static TempoSetup of(Path program) throws IOException, InterruptedException {
    return new TempoSetup(major(program), free(14318), free(14317), free(19095));
  }

  /** The template's parts: what all versions take, and what only this one does. */
  List<String> templates() {
    return List.of("tempo/tempo.yaml", "tempo/tempo-" + major + ".yaml");
  }

  Map<String, String> values() {
    return Map.of(
        "tempo.otlp.http", Integer.toString(otlpHttp),
        "tempo.otlp.grpc", Integer.toString(otlpGrpc),
        "tempo.grpc", Integer.toString(grpc));
  }

  private static int major(Path program) throws IOException, InterruptedException {
    String words = versionWords(program);
    Matcher version = VERSION.matcher(words);
    if (!version.find()) {
      throw Failure.of(
          "tempo",
          program + " -version answers " + (words.isBlank() ? "nothing" : "\"" + words + "\""),
          "\"tempo, version\" and " + SUPPORTED + "; --with leaves Tempo out");
    }
    int major = Integer.parseInt(version.group(2));
    if (major != 2 && major != 3) {
      throw Failure.of(
          "tempo", "version " + version.group(1) + " of " + program, SUPPORTED + "; --tempo FILE");
    }
    return major;
  }

  /** The first line that it answers. */
  private static String versionWords(Path program) throws IOException, InterruptedException {
    Path words = Files.createTempFile("rollscope-tempo-version", ".txt");
    try {
      Process asked =
          new ProcessBuilder(program.toString(), "-version")
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectErrorStream(true)
              .redirectOutput(words.toFile())
              .start();
      if (!asked.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        asked.destroyForcibly().waitFor();
      }
      try (var in = Files.newInputStream(words)) {
        String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        String line = text.lines().filter(l -> !l.isBlank()).findFirst().orElse("").strip();
        return Console.clean(line.substring(0, Math.min(line.length(), MOST_SHOWN)));
      }
    } catch (IOException e) {
      throw Failure.of("tempo", program + " cannot be run", "a program for this machine");
    } finally {
      Files.deleteIfExists(words);
    }
  }

  /** The usual port, or another one if something listens there. */
  private static int free(int usual) throws IOException {
    try (ServerSocket port = new ServerSocket(usual, 1, InetAddress.getLoopbackAddress())) {
      return port.getLocalPort();
    } catch (IOException e) {
      try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return port.getLocalPort();
      }
    }
  }
}
