package io.rollscope.cli.process;

import io.rollscope.cli.config.Setting;
import io.rollscope.cli.config.Settings;
import io.rollscope.cli.remote.ServerUrl;
import io.rollscope.server.ServerOptions;
import io.rollscope.server.ServerOptions.Outward;
import io.rollscope.server.ServerOptions.Scrape;
import io.rollscope.server.ServerOptions.WatchedFolder;
import io.rollscope.server.tls.CertificateFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns settings into what the collector is started with. */
final class ServerSetup {
  private ServerSetup() {}

  static ServerOptions options(
      Settings settings, Map<String, String> environment, List<WatchedFolder> watch) {
    Setting data = settings.find("data");
    DataFolder folder = DataFolder.of(data == null ? null : data.text(), environment);
    ServerOptions usual = ServerOptions.defaults(folder.path());
    Setting host = settings.find("host");
    Setting token = settings.find("token");
    Setting trust = settings.find("trust");
    Setting insecure = settings.find("insecure");
    Setting retention = settings.find("retention");
    return new ServerOptions(
        folder.path(),
        host == null ? usual.host() : host.text(),
        port(settings, "port", usual.port()),
        port(settings, "otlp-http-port", usual.otlpHttpPort()),
        port(settings, "otlp-grpc-port", usual.otlpGrpcPort()),
        token == null ? null : token.text(),
        trust == null ? List.of() : trust.values(),
        insecure != null && insecure.isTrue(),
        retention == null ? null : retention.age(),
        watch,
        scrape(settings, usual.scrape()),
        outward(settings, usual.outward()),
        certificate(settings));
  }

  private static CertificateFiles certificate(Settings settings) {
    Setting certificate = settings.find("tls-cert");
    Setting key = settings.find("tls-key");
    if (certificate == null && key == null) {
      return null;
    }
    if (key == null) {
      throw certificate.wrong("--tls-key beside it, the key of that certificate");
    }
    if (certificate == null) {
      throw key.wrong("--tls-cert beside it, the certificate of that key");
    }
    return new CertificateFiles(Path.of(certificate.text()), Path.of(key.text()));
  }

  private static Scrape scrape(Settings settings, Scrape usual) {
    Setting file = settings.find("targets-file");
    Setting interval = settings.find("scrape-interval");
    Setting linkLocal = settings.find("allow-link-local");
    Setting folder = settings.find("prometheus-targets");
    Setting url = settings.find("prometheus-url");
    return new Scrape(
        file == null ? null : Path.of(file.text()),
        interval == null ? usual.interval() : interval.age(),
        linkLocal != null && linkLocal.isTrue(),
        folder == null ? null : Path.of(folder.text()),
        url == null ? null : ServerUrl.parse(url.place(), url.text()));
  }

  private static Outward outward(Settings settings, Outward usual) {
    Setting namespace = settings.find("metrics-namespace");
    Setting forward = settings.find("forward");
    Setting header = settings.find("forward-header");
    Map<String, String> headers = new LinkedHashMap<>();
    for (String one : header == null ? List.<String>of() : header.values()) {
      int equals = one.indexOf('=');
      if (equals <= 0) {
        throw header.wrong("NAME=VALUE");
      }
      headers.put(one.substring(0, equals).strip(), one.substring(equals + 1).strip());
    }
    if (namespace != null
        && !namespace.text().matches("(?!rollscope$)[a-zA-Z_][a-zA-Z0-9_]{0,99}")) {
      throw namespace.wrong("letters, digits and underscores, and not rollscope");
    }
    return new Outward(
        namespace == null ? usual.namespace() : namespace.text(),
        forward == null
            ? usual.forward()
            : forward.values().stream().map(u -> ServerUrl.parse(forward.place(), u)).toList(),
        headers);
  }

  private static int port(Settings settings, String name, int usual) {
    Setting port = settings.find(name);
    return port == null ? usual : port.port();
  }
}
