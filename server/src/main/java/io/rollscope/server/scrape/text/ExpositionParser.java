package io.rollscope.server.scrape.text;

import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads an exposition. As in Prometheus, one that breaks the rules is refused as a whole: half of a
 * scrape would look as if the other half had gone.
 */
public final class ExpositionParser {
  private static final int MAX_LABELS = 64;
  private static final double MAX_MILLISECONDS = 4e12;
  private static final Map<String, Family.Type> TYPES =
      Map.of(
          "counter", Family.Type.COUNTER,
          "gauge", Family.Type.GAUGE,
          "histogram", Family.Type.HISTOGRAM,
          "gaugehistogram", Family.Type.GAUGEHISTOGRAM,
          "summary", Family.Type.SUMMARY,
          "stateset", Family.Type.STATESET,
          "info", Family.Type.INFO,
          "unknown", Family.Type.UNKNOWN,
          "untyped", Family.Type.UNKNOWN);
  private static final Map<Family.Type, List<String>> SUFFIXES =
      Map.of(
          Family.Type.COUNTER, List.of("_total", "_created"),
          Family.Type.HISTOGRAM, List.of("_bucket", "_sum", "_count", "_created"),
          Family.Type.GAUGEHISTOGRAM, List.of("_bucket", "_gsum", "_gcount"),
          Family.Type.SUMMARY, List.of("_sum", "_count", "_created"),
          Family.Type.INFO, List.of("_info"));

  private final LineCursor c;
  private final boolean openMetrics;
  private final int maxSamples;
  private final Map<String, Family> families = new LinkedHashMap<>();
  private Family last;
  private int samples;
  private boolean ended;

  private ExpositionParser(byte[] text, boolean openMetrics, int maxSamples) {
    this.c = new LineCursor(text);
    this.openMetrics = openMetrics;
    this.maxSamples = maxSamples;
  }

  /**
   * The families in the order of their first lines; those without a sample are left out.
   *
   * @param openMetrics whether the format is OpenMetrics rather than Prometheus' own
   * @param maxSamples more are refused
   */
  public static List<Family> parse(byte[] text, boolean openMetrics, int maxSamples)
      throws ExpositionException {
    return new ExpositionParser(text, openMetrics, maxSamples).parse();
  }

  private List<Family> parse() throws ExpositionException {
    while (c.nextLine()) {
      if (!c.more()) {
        continue;
      }
      if (ended) {
        throw c.wrong("more lines", "nothing after # EOF");
      }
      if (c.pass('#')) {
        comment();
      } else {
        sample();
      }
    }
    if (openMetrics && !ended) {
      throw c.wrong("the end", "# EOF: the exposition is cut off");
    }
    List<Family> found = new ArrayList<>(families.values());
    found.removeIf(family -> family.samples().isEmpty());
    return found;
  }

  private void comment() throws ExpositionException {
    if (!c.more()) {
      return;
    }
    switch (c.word()) {
      case "TYPE" -> {
        c.more();
        Family family = family(c.name(true));
        c.more();
        setType(family, c.word());
      }
      case "UNIT" -> {
        c.more();
        Family family = family(c.name(true));
        c.more();
        String unit = c.word();
        family.setUnit(unit.isEmpty() ? null : unit);
      }
      case "EOF" -> ended = openMetrics;
      default -> {}
    }
  }

  private Family family(String name) {
    return families.computeIfAbsent(name, n -> new Family(n, Family.Type.UNKNOWN));
  }

  private void setType(Family family, String word) throws ExpositionException {
    Family.Type type = TYPES.get(word.toLowerCase(Locale.ROOT));
    if (type == null) {
      throw c.wrong("an unknown type", "counter, gauge, histogram, summary or untyped");
    }
    if (family.type() != type && !family.samples().isEmpty()) {
      throw c.wrong("a second type of a metric", "one type, before the samples");
    }
    family.setType(type);
  }

  private void sample() throws ExpositionException {
    String name = c.isAt('{') ? null : c.name(true);
    Map<String, String> labels = new HashMap<>();
    c.more();
    if (c.pass('{')) {
      name = labels(name, labels);
    }
    if (name == null) {
      throw c.wrong("labels without a metric", "a metric's name");
    }
    if (!c.more()) {
      throw c.wrong("a metric without a value", "a number");
    }
    double value = c.number("value");
    long timeNs = c.more() && !c.isAt('#') ? time() : Sample.NOW;
    if (c.more() && !(openMetrics && c.isAt('#'))) {
      throw c.wrong(c.next(), "the end of the line");
    }
    if (++samples > maxSamples) {
      throw c.wrong("too many samples", "at most " + maxSamples + " of a target");
    }
    familyOf(name).samples().add(new Sample(name, Labels.of(labels), value, timeNs));
  }

  /** Reads labels up to the brace. A name in quotes that has no value is the metric's. */
  private String labels(String metric, Map<String, String> labels) throws ExpositionException {
    String name = metric;
    while (c.more() && !c.isAt('}')) {
      boolean quoted = c.isAt('"');
      String label = c.name(false);
      c.more();
      if (quoted && name == null && !c.isAt('=')) {
        name = label;
      } else {
        c.expect('=');
        c.more();
        if (labels.put(label, c.quoted()) != null) {
          throw c.wrong("a label twice", "each label once");
        }
        if (labels.size() > MAX_LABELS) {
          throw c.wrong("too many labels", "at most " + MAX_LABELS);
        }
      }
      c.more();
      if (!c.pass(',')) {
        break;
      }
    }
    c.expect('}');
    return name;
  }

  private long time() throws ExpositionException {
    double time = c.number("time");
    if (!openMetrics && Math.abs(time) < MAX_MILLISECONDS) {
      return ((long) time) * 1_000_000;
    }
    long ns = Nanos.fromSeconds(time);
    if (!openMetrics || ns == Nanos.UNKNOWN) {
      throw c.wrong("a time that is none", "a time since 1970");
    }
    return ns;
  }

  private Family familyOf(String sample) {
    if (last != null && belongs(sample, last)) {
      return last;
    }
    last = families.get(sample);
    if (last == null || !belongs(sample, last)) {
      last = bySuffix(sample);
    }
    return last;
  }

  private Family bySuffix(String sample) {
    int cut = sample.lastIndexOf('_');
    Family family = cut < 0 ? null : families.get(sample.substring(0, cut));
    return family != null && belongs(sample, family) ? family : family(sample);
  }

  /** Whether a family has samples of that name. */
  private static boolean belongs(String sample, Family family) {
    String name = family.name();
    if (!sample.startsWith(name)) {
      return false;
    }
    return sample.length() == name.length()
        || SUFFIXES
            .getOrDefault(family.type(), List.of())
            .contains(sample.substring(name.length()));
  }
}
