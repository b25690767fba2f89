package io.rollscope.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.RemoteRun;
import io.rollscope.cli.remote.Trust;
import io.rollscope.core.report.RunReports;
import io.rollscope.server.Collector;
import io.rollscope.server.ServerOptions;
import io.rollscope.server.tail.FolderImport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A server of its own process, asked over HTTP as the command line does. */
class RemoteServerTest extends RunReportsContract {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Collector server;

  /** Random ones first: their open work is lost when nothing came of its process for 30 s. */
  @Override
  protected List<World> worlds() {
    List<World> worlds = new ArrayList<>(super.worlds());
    Collections.reverse(worlds);
    return worlds;
  }

  @Override
  protected void take(List<World> worlds) throws Exception {
    server =
        Collector.start(
            new ServerOptions(
                folder.resolve("data"),
                "127.0.0.1",
                0,
                0,
                0,
                null,
                List.of(),
                false,
                null,
                List.of(),
                ServerOptions.Scrape.DEFAULT,
                new ServerOptions.Outward("ns", List.of(), Map.of())));
    for (World world : worlds) {
      for (String line : world.shuffled()) {
        post(line);
      }
      if (world.folder() != null) {
        FolderImport.run(
            List.of(world.folder()), null, null, server.url(), null, (done, total, spans) -> {});
      }
    }
  }

  private void post(String line) throws IOException, InterruptedException {
    String path = "/v1/" + World.signalOf(line).name().toLowerCase(Locale.ROOT);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.otlpHttp() + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(line))
            .build();
    HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Override
  protected RunReports open(World world) throws IOException {
    return RemoteRun.choose(new Api(server.url(), null, Trust.USUAL), world.run());
  }

  @Override
  protected String referenceName() {
    return "memory";
  }

  @Override
  protected RunReports reference(World world, Path into) throws Exception {
    return InMemory.of(worlds()).run(world.run());
  }

  @Override
  protected void close() throws IOException {
    server.close();
  }
}
