package io.rollscope.formats.folder;

import io.rollscope.formats.areal.ArealPerfFormat;
import io.rollscope.formats.areal.ArealSessionsFormat;
import io.rollscope.formats.compressed.Compression;
import io.rollscope.formats.otlp.OtlpFormat;
import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import io.rollscope.formats.xtuner.XTunerFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The formats Rollscope reads, and how a file's format is told from its name and first lines. */
public final class Formats {
  private static final List<TraceFormat> ALL =
      List.of(
          new XTunerFormat(), new OtlpFormat(), new ArealSessionsFormat(), new ArealPerfFormat());
  private static final int HEAD = 1 << 16;
  private static final int LINES_LOOKED_AT = 20;

  private Formats() {}

  public static List<TraceFormat> all() {
    return ALL;
  }

  /** The format with this name. */
  public static TraceFormat named(String id) {
    for (TraceFormat format : ALL) {
      if (format.id().equals(id)) {
        return format;
      }
    }
    String known = ALL.stream().map(TraceFormat::id).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("format: " + id + " (expected: " + known + ")");
  }

  /**
   * The format of a file, told from its first lines, else its name; null if it is none.
   *
   * @param complete whether the first line may be taken for whole although it has no end
   */
  public static TraceFormat recognise(Path file, boolean complete) throws IOException {
    byte[] head = new byte[HEAD];
    String name = file.getFileName().toString().replaceFirst(Compression.SUFFIXES + "$", "");
    int length = ByteSource.head(file, head);
    return recognise(name, head, length, complete);
  }

  /**
   * The format of a file that begins so, or null; lines count more than the name.
   *
   * @param complete whether a first line without an end is all there will be
   */
  static TraceFormat recognise(String fileName, byte[] head, int length, boolean complete) {
    int from = length >= 3 && head[0] == (byte) 0xEF ? 3 : 0;
    if (!complete && length < head.length && !hasLineEnd(head, length)) {
      return null; // The rest of the line may tell more.
    }
    for (int line = 0; line < LINES_LOOKED_AT && from < length; line++) {
      int to = from;
      while (to < length && head[to] != '\n') {
        to++;
      }
      Set<String> keys = topLevelKeys(head, from, to);
      for (TraceFormat format : ALL) {
        if (format.keysMatch(keys)) {
          return format;
        }
      }
      from = to + 1;
    }
    for (TraceFormat format : ALL) {
      if (format.nameMatches(fileName)) {
        return format;
      }
    }
    return null;
  }

  private static boolean hasLineEnd(byte[] head, int length) {
    for (int i = 0; i < length; i++) {
      if (head[i] == '\n') {
        return true;
      }
    }
    return false;
  }

  /** The framework that writes such files; null for formats of no framework. */
  public static String systemOf(List<TraceFile> files) {
    return files.stream()
        .map(file -> file.format().id())
        .filter(id -> !id.equals("otlp"))
        .map(id -> id.replaceFirst("-.*", ""))
        .findFirst()
        .orElse(null);
  }

  /** Keys of the object on a line, as far as the line is whole. */
  private static Set<String> topLevelKeys(byte[] head, int from, int to) {
    Set<String> keys = new LinkedHashSet<>();
    JsonScanner scanner = new JsonScanner();
    scanner.open(head, from, to);
    try {
      scanner.beginObject();
      while (scanner.nextKey()) {
        keys.add(scanner.key());
        scanner.skip();
      }
    } catch (BadLineException e) {
      // A torn or foreign line: what was seen of it has to do.
    }
    return keys;
  }
}
