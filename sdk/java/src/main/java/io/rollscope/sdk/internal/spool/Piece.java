package io.rollscope.sdk.internal.spool;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A file of requests. Each process writes pieces of its own, one after the other.
 *
 * @param writer what the names of all pieces of its process begin with
 * @param number its place among them
 * @param written when it was last written to
 */
record Piece(Path path, String writer, long number, long size, FileTime written) {
  private static final Pattern NAME =
      Pattern.compile("(rollscope-.+)-(\\d{6,18})\\.jsonl(?:\\.zst|\\.gz)?", Pattern.DOTALL);

  /** How an ended span is told from everything else in OTLP's JSON. */
  private static final byte[] SPAN = "\"endTimeUnixNano\":\"".getBytes(StandardCharsets.US_ASCII);

  /** Null if the file is none, or no longer there. */
  static Piece of(Path path) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    if (!name.matches()) {
      return null;
    }
    try {
      BasicFileAttributes file =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return file.isRegularFile()
          ? new Piece(
              path,
              name.group(1),
              Long.parseLong(name.group(2)),
              file.size(),
              file.lastModifiedTime())
          : null;
    } catch (IOException e) {
      return null; // Deleted meanwhile, by another process.
    }
  }

  static String name(String writer, long number, boolean gzip) {
    return "%s-%06d.jsonl%s".formatted(writer, number, gzip ? ".gz" : "");
  }

  /** Spans in a request. */
  static long spans(byte[] request) {
    return new Count().add(request, request.length);
  }

  /**
   * Spans in this piece, as far as it can be read; 0 for one that another SDK compressed with zstd.
   */
  long spans() {
    String name = path.toString();
    if (name.endsWith(".zst")) {
      return 0;
    }
    Count count = new Count();
    try (InputStream file = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
        InputStream data = name.endsWith(".gz") ? new GZIPInputStream(file, 1 << 16) : file) {
      byte[] part = new byte[1 << 16];
      for (int read = data.read(part); read >= 0; read = data.read(part)) {
        count.add(part, read);
      }
    } catch (EOFException | ZipException e) {
      return count.found; // Ends in the middle of a frame: its process was killed.
    } catch (IOException e) {
      return 0;
    }
    return count.found;
  }

  /**
   * Finds the mark in data that come in parts. One that breaks off after its inner quotation mark
   * begins no other: JSON has a colon there.
   */
  private static final class Count {
    private int matched;
    private long found;

    long add(byte[] data, int length) {
      for (int i = 0; i < length; i++) {
        if (data[i] == SPAN[matched]) {
          matched++;
        } else {
          matched = data[i] == SPAN[0] ? 1 : 0;
        }
        if (matched == SPAN.length) {
          matched = 0;
          found++;
        }
      }
      return found;
    }
  }
}
