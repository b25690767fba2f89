package io.rollscope.store.metric;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.store.journal.Position;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A book as bytes, with how far in the journal it has come: what counters added up to is in no
 * segment, and the journal behind it goes.
 */
public final class BookFile {
  private static final int MAGIC = 0x526F6C42;
  private static final int VERSION = 1;

  /** No text of a metric is longer. */
  private static final int MAX_TEXT = 1 << 20;

  private static final int MAX_NUMBERS = 10_000;

  private BookFile() {}

  public static byte[] bytes(MetricBook book, Position position) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeInt(VERSION);
      out.writeLong(position.file());
      out.writeLong(position.offset());
      List<BookMetric> metrics = List.copyOf(book.metrics());
      out.writeInt(metrics.size());
      for (BookMetric metric : metrics) {
        write(out, metric);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Fills an empty book. Returns how far it has come. */
  public static Position read(byte[] bytes, MetricBook book) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readInt() != MAGIC || in.readInt() != VERSION) {
        throw new IOException("not a book of metrics of version " + VERSION);
      }
      Position position = new Position(in.readLong(), in.readLong());
      int count = in.readInt();
      TreeMap<Integer, BookMetric> all = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        all.put(i, readMetric(in));
      }
      if (in.read() != -1) {
        throw new IOException("more than a book of metrics");
      }
      all.values().forEach(book::restore);
      return position;
    }
  }

  private static void write(DataOutputStream out, BookMetric metric) throws IOException {
    text(out, metric.run);
    text(out, metric.name);
    text(out, metric.help);
    text(out, metric.unit);
    text(out, metric.kind);
    out.writeBoolean(metric.monotonic);
    out.writeBoolean(metric.scraped);
    numbers(out, metric.bounds);
    out.writeInt(metric.labelSets.size());
    for (var set : metric.labelSets.entrySet()) {
      out.writeLong(set.getKey());
      LabelSet of = set.getValue();
      out.writeInt(of.labels.size());
      for (var label : of.labels.entrySet()) {
        text(out, label.getKey());
        text(out, label.getValue());
      }
      out.writeLong(of.heardNs);
      totals(out, of.before);
      out.writeInt(of.series.size());
      for (var one : of.series.entrySet()) {
        out.writeLong(one.getKey());
        write(out, one.getValue());
      }
    }
  }

  private static BookMetric readMetric(DataInputStream in) throws IOException {
    BookMetric metric =
        new BookMetric(
            text(in),
            text(in),
            text(in),
            text(in),
            text(in),
            in.readBoolean(),
            in.readBoolean(),
            numbers(in));
    int sets = in.readInt();
    for (int i = 0; i < sets; i++) {
      long hash = in.readLong();
      NavigableMap<String, String> labels = new TreeMap<>();
      int count = in.readInt();
      for (int k = 0; k < count; k++) {
        labels.put(text(in), text(in));
      }
      LabelSet set = new LabelSet(labels);
      set.heardNs = in.readLong();
      set.before.add(totals(in));
      int series = in.readInt();
      for (int k = 0; k < series; k++) {
        set.series.put(in.readLong(), readSeries(in));
      }
      metric.labelNames.add(java.util.Set.copyOf(labels.keySet()));
      metric.labelSets.put(hash, set);
    }
    return metric;
  }

  private static void write(DataOutputStream out, Series one) throws IOException {
    text(out, one.instance);
    out.writeLong(one.startNs);
    out.writeLong(one.timeNs);
    out.writeLong(one.receivedNs);
    out.writeBoolean(one.stale);
    out.writeBoolean(one.last != null);
    if (one.last != null) {
      totals(out, one.last);
    }
    numbers(out, one.quantiles);
    numbers(out, one.quantileValues);
  }

  private static Series readSeries(DataInputStream in) throws IOException {
    Series one = new Series(text(in));
    one.startNs = in.readLong();
    one.timeNs = in.readLong();
    one.receivedNs = in.readLong();
    one.stale = in.readBoolean();
    one.last = in.readBoolean() ? totals(in) : null;
    one.quantiles = numbers(in);
    one.quantileValues = numbers(in);
    return one;
  }

  private static void totals(DataOutputStream out, Totals totals) throws IOException {
    out.writeDouble(totals.value);
    out.writeLong(totals.count);
    out.writeInt(totals.buckets == null ? -1 : totals.buckets.length);
    for (int i = 0; totals.buckets != null && i < totals.buckets.length; i++) {
      out.writeLong(totals.buckets[i]);
    }
  }

  private static Totals totals(DataInputStream in) throws IOException {
    Totals totals = new Totals();
    totals.value = in.readDouble();
    totals.count = in.readLong();
    int length = length(in, MAX_NUMBERS);
    if (length >= 0) {
      totals.buckets = new long[length];
      for (int i = 0; i < length; i++) {
        totals.buckets[i] = in.readLong();
      }
    }
    return totals;
  }

  private static void numbers(DataOutputStream out, double[] numbers) throws IOException {
    out.writeInt(numbers == null ? -1 : numbers.length);
    for (int i = 0; numbers != null && i < numbers.length; i++) {
      out.writeDouble(numbers[i]);
    }
  }

  private static double[] numbers(DataInputStream in) throws IOException {
    int length = length(in, MAX_NUMBERS);
    double[] numbers = length < 0 ? null : new double[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = in.readDouble();
    }
    return numbers;
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text == null ? null : text.getBytes(UTF_8);
    out.writeInt(utf8 == null ? -1 : utf8.length);
    if (utf8 != null) {
      out.write(utf8);
    }
  }

  private static String text(DataInputStream in) throws IOException {
    int length = length(in, MAX_TEXT);
    return length < 0 ? null : new String(in.readNBytes(length), UTF_8);
  }

  private static int length(DataInputStream in, int most) throws IOException {
    int length = in.readInt();
    if (length > most) {
      throw new IOException("a length of " + length + " in a book of metrics");
    }
    return length;
  }
}
