package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.cli.process.DataFolder;
import io.rollscope.cli.process.ServerState;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.ServerUrl;
import io.rollscope.cli.remote.Tokens;
import io.rollscope.cli.remote.Trust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a server must be shown, which certificate it may show, and which server is meant. */
final class TokenOption {
  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "The server's token (default: ROLLSCOPE_TOKEN, then the data folder's token file).")
  String token;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) that vouch for a server with https (default: ROLLSCOPE_CA, then"
              + " those of the system).")
  String ca;

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
    Optional<ServerState> living = ServerState.ofLiving(data);
    String meant = url == null ? living.map(ServerState::url).orElse(ServerUrl.DEFAULT) : url;
    URI address = ServerUrl.parse(option, meant);
    return new Api(
        address, Tokens.find(token, System.getenv(), data.path()), trust(address, living));
  }

  /** Of the server of this machine's data folder the certificate is known. */
  private Trust trust(URI address, Optional<ServerState> living) {
    if (ca != null) {
      return Trust.authorities("--ca", Path.of(ca));
    }
    String set = System.getenv("ROLLSCOPE_CA");
    if (set != null && !set.isBlank()) {
      return Trust.authorities("ROLLSCOPE_CA", Path.of(set.strip()));
    }
    return living
        .filter(state -> address.equals(URI.create(state.url())))
        .map(ServerState::trust)
        .orElse(Trust.USUAL);
  }
}
