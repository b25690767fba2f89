package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.ServerCacheControl;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.encoding.EncodingService;
import com.linecorp.armeria.server.file.FileService;
import com.linecorp.armeria.server.file.HttpFile;
import java.time.Duration;

/** The files of the web page, as {@code ui} builds them. */
final class Page {
  private static final String FILES = "io/rollscope/server/page";
  private static final int WORTH_COMPRESSING = 1024;

  /** Names of assets carry a hash of their content. */
  private static final ServerCacheControl FOREVER =
      ServerCacheControl.builder().cachePublic().maxAge(Duration.ofDays(365)).immutable().build();

  private Page() {}

  static void addTo(ServerBuilder server) {
    ClassLoader loader = Page.class.getClassLoader();
    HttpService start =
        HttpFile.builder(loader, FILES + "/index.html")
            .setHeader(HttpHeaderNames.CACHE_CONTROL, "no-cache")
            .build()
            .asService();
    HttpService assets =
        FileService.builder(loader, FILES + "/assets").cacheControl(FOREVER).build();
    HttpService others =
        FileService.builder(loader, FILES).cacheControl(ServerCacheControl.REVALIDATED).build();
    server
        .service("/", start)
        .serviceUnder("/page/assets", compressed(assets))
        .serviceUnder("/page", others);
  }

  private static HttpService compressed(HttpService files) {
    return files.decorate(
        EncodingService.builder().minBytesToForceChunkedEncoding(WORTH_COMPRESSING).newDecorator());
  }
}
