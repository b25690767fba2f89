package io.rollscope.cli.process;

/**
 * Whether and where a server runs, as {@code server status} prints it.
 *
 * @param otlpGrpc {@code host:port}
 * @param data the data folder
 */
public record ServerReport(
    boolean running,
    Long pid,
    String url,
    String otlpHttp,
    String otlpGrpc,
    String data,
    String version) {

  public static ServerReport running(ServerState state, DataFolder folder) {
    return new ServerReport(
        true,
        state.pid(),
        state.url(),
        state.otlpHttp(),
        state.otlpGrpc(),
        folder.path().toString(),
        state.version());
  }

  public static ServerReport stopped(DataFolder folder) {
    return new ServerReport(false, null, null, null, null, folder.path().toString(), null);
  }
}
