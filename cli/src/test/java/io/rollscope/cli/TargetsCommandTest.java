package io.rollscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.rollscope.cli.remote.RemoteTargets;
import io.rollscope.cli.render.Console;
import io.rollscope.cli.render.TargetsTable;
import io.rollscope.server.Collector;
import io.rollscope.server.ServerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rollscope targets} against a real server that scrapes a real target. */
class TargetsCommandTest {
  @TempDir private Path data;
  private Collector collector;
  private HttpServer target;

  @BeforeEach
  void start() throws Exception {
    target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/metrics",
        exchange -> {
          byte[] body = "reward 0.5\n".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    target.start();
    ServerOptions usual = ServerOptions.defaults(data);
    collector =
        Collector.start(
            new ServerOptions(
                data,
                usual.host(),
                0,
                0,
                0,
                "secret",
                List.of(),
                false,
                null,
                List.of(),
                usual.scrape(),
                usual.outward()));
  }

  @AfterEach
  void stop() throws IOException {
    collector.close();
    target.stop(0);
  }

  private String address() {
    return "127.0.0.1:" + target.getAddress().getPort();
  }

  private CommandRun targets(Object... arguments) {
    Object[] all = new Object[arguments.length + 5];
    all[0] = "targets";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--url";
    all[arguments.length + 2] = collector.url();
    all[arguments.length + 3] = "--token";
    all[arguments.length + 4] = "secret";
    return CommandRun.of(all);
  }

  @Test
  void targetIsAddedSeenUpListedAndRemoved() throws Exception {
    CommandRun added =
        targets(
            "add",
            address(),
            "--job",
            "vllm",
            "--run",
            "r",
            "--label",
            "replica=0",
            "--interval",
            "5s");
    assertThat(added.code()).as(added.err()).isZero();
    assertThat(added.outLines()).hasSize(2);
    assertThat(added.outLines().get(1))
        .matches("up +" + address() + " +vllm +r +1 .* ago .* 5\\.00 s +api +replica=0");

    JsonNode json = new ObjectMapper().readTree(targets("list", "--format", "json").out());
    assertThat(json.path("targets").get(0).path("up").asBoolean()).isTrue();
    assertThat(json.path("targets").get(0).path("labels").path("replica").asText()).isEqualTo("0");
    assertThat(targets("list", "--format", "csv").outLines().get(1))
        .startsWith(address() + ",vllm,r,5.0,5.0,api,true,");

    assertThat(targets("remove", address()).out()).isEqualTo("removed 1 target\n");
    assertThat(targets("list").out()).startsWith("nothing is scraped; ");
  }

  @Test
  void whyATargetIsDownIsSaidBelowTheTable() {
    String gone = address();
    target.stop(0);

    CommandRun added = targets("add", gone);

    assertThat(added.code()).isZero();
    assertThat(added.outLines().get(1)).startsWith("down");
    assertThat(added.outLines().get(2))
        .isEqualTo(gone + " (metrics): connection: refused (expected: a target that listens)");
  }

  @Test
  void refusalsOfTheServerAreOneLine() {
    CommandRun wrong = targets("add", "nonsense");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err())
        .isEqualTo(
            "rollscope: target: nonsense (expected: HOST:PORT, or a URL with http or https)\n");
    CommandRun unknown = targets("remove", "h:1", "--job", "x");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err()).startsWith("rollscope: target: h:1 of job x (expected: one that ");
  }

  @Test
  void upIsGreenAndDownIsRed() {
    Console console =
        new Console(
            new PrintStream(PrintStream.nullOutputStream()),
            new PrintStream(PrintStream.nullOutputStream()),
            Map.of("ROLLSCOPE_TTY", "1", "COLUMNS", "120"),
            false);
    RemoteTargets.All all =
        new RemoteTargets.All(
            List.of(row("a:1", true, null), row("b:1", false, "no"), row("c:1", null, null)),
            List.of("targets file: wrong"));

    List<String> lines = TargetsTable.lines(all, console, 110);

    assertThat(lines.get(1)).startsWith("\u001b[32mup\u001b[0m").contains("10.0 s ago");
    assertThat(lines.get(2)).startsWith("\u001b[31mdown\u001b[0m");
    assertThat(lines.get(3)).startsWith("\u001b[2mnew\u001b[0m");
    assertThat(lines.get(4)).isEqualTo("\u001b[31mb:1 (j): no\u001b[0m");
    assertThat(lines.get(5)).isEqualTo("\u001b[31mtargets file: wrong\u001b[0m");
  }

  private static RemoteTargets.Row row(String target, Boolean up, String error) {
    Double time = up == null ? null : 100.0;
    return new RemoteTargets.Row(
        target,
        "j",
        Map.of(),
        null,
        15,
        10,
        "api",
        up,
        time,
        time,
        up == null ? null : 0.01,
        1,
        error);
  }
}
