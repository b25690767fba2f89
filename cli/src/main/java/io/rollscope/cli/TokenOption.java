package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.ServerState;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.ServerUrl;
import io.rollscope.cli.remote.Tokens;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a server must be shown, and which server is meant. */
final class TokenOption {
  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "The server's token (default: ROLLSCOPE_TOKEN, then the data folder's token file).")
  String token;

  /** The server among the sources; the usual one if there are none; null if they are folders. */
  Api serverOf(List<String> sources) throws IOException {
    if (sources.isEmpty()) {
      return server(null, null);
    }
    for (String source : sources) {
      if (ServerUrl.isMeant(source)) {
        if (sources.size() > 1) {
          throw new WrongUsage("SRC", String.join(" ", sources), "one server, or folders");
        }
        return server("SRC", source);
      }
    }
    return null;
  }

  /**
   * A server by its address; without one the server of the usual data folder, if it runs, else the
   * usual address.
   */
  Api server(String option, String url) throws IOException {
    DataFolder data = DataFolder.usual(System.getenv());
    String meant = url;
    if (url == null) {
      Optional<ServerState> living = ServerState.ofLiving(data);
      meant = living.map(ServerState::url).orElse(ServerUrl.DEFAULT);
    }
    return new Api(
        ServerUrl.parse(option, meant), Tokens.find(token, System.getenv(), data.path()));
  }
}
