package io.rollscope.cli.report;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.render.JsonReport;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.LongConsumer;
import java.util.zip.GZIPOutputStream;

/**
 * The page without its data, as npm builds it. The data goes into one element of it as JSON,
 * compressed, in base64: nothing that stands in a trace can end the element or begin another.
 */
public final class ReportPage {
  private static final String RESOURCE = "report.html";
  private static final String PLACE = "id=\"rollscope-report\">";
  private static final String TITLE = "<title>Rollscope report</title>";
  private static final int BUFFER = 1 << 16;
  private static final long BYTES_PER_SPAN = 45;
  private static final long BYTES_PER_SESSION = 250;

  private final String before;
  private final String after;

  private ReportPage(String html) {
    int place = html.indexOf(PLACE) + PLACE.length();
    if (place < PLACE.length() || html.indexOf(PLACE, place) >= 0) {
      throw new IllegalStateException("page: no single place for the data in " + RESOURCE);
    }
    this.before = html.substring(0, place);
    this.after = html.substring(place);
  }

  /** The page that was built with this program. */
  public static ReportPage load() throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw Failure.of(
            "report", "this build has no page", "one by ./rollscope or ./dev build, with npm");
      }
      return new ReportPage(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** About how many bytes {@link #write} will tell its listener of. */
  public static long work(ReportData data) {
    return BYTES_PER_SPAN * data.timeline().name().length
        + BYTES_PER_SESSION * data.sessions().session().length;
  }

  /**
   * Writes the page with its data; the stream stays open.
   *
   * @param progress is told how many bytes were compressed
   */
  public void write(ReportData data, OutputStream out, LongConsumer progress) throws IOException {
    OutputStream buffered = new BufferedOutputStream(out, BUFFER);
    String title = "<title>" + escaped(data.run()) + " – Rollscope report</title>";
    buffered.write(before.replace(TITLE, title).getBytes(StandardCharsets.UTF_8));
    try (OutputStream base64 = Base64.getEncoder().wrap(new Unclosed(buffered));
        OutputStream zipped = new GZIPOutputStream(base64, BUFFER);
        OutputStream json = new Counted(zipped, progress)) {
      JsonReport.writeCompact(data, json);
    }
    buffered.write(after.getBytes(StandardCharsets.UTF_8));
    buffered.flush();
  }

  /** Text that is only text in HTML. */
  static String escaped(String text) {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> html.append("&amp;");
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '"' -> html.append("&quot;");
        case '\'' -> html.append("&#39;");
        default -> html.append(Character.isISOControl(c) ? ' ' : c);
      }
    }
    return html.toString();
  }

  private static final class Counted extends FilterOutputStream {
    private final LongConsumer progress;

    Counted(OutputStream out, LongConsumer progress) {
      super(out);
      this.progress = progress;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      progress.accept(length);
    }
  }

  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      out.flush();
    }
  }
}
