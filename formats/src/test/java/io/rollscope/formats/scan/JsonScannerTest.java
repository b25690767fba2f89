package io.rollscope.formats.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.otlp.wire.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scanner against Jackson, which stands for what everybody else calls JSON. */
class JsonScannerTest {
  private static final ObjectMapper JACKSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  // ---- against Jackson -------------------------------------------------------------------------

  /** Every recorder writes its own spelling of the same values. */
  @Property
  void readsTheSameValuesAsJackson(@ForAll("documents") String document) throws Exception {
    byte[] b = document.getBytes(StandardCharsets.UTF_8);

    assertThat(valueOf(b)).isEqualTo(plain(JACKSON.readTree(document)));
  }

  /** Crashes, full disks and two writers on one file leave lines that are nearly JSON. */
  @Property(tries = 5_000)
  void acceptsExactlyWhatJacksonAccepts(
      @ForAll("documents") String document, @ForAll("damages") List<Damage> damages)
      throws Exception {
    byte[] b = Damage.all(damages, document.getBytes(StandardCharsets.UTF_8));
    JsonNode expected = jackson(b);

    String refusal = refusalOf(b);

    if (expected != null && refusal == null) {
      assertThat(valueOf(b)).isEqualTo(plain(expected));
    } else if (!isKnownDifference(refusal)) {
      assertThat(refusal == null)
          .as("%s: %s", new String(b, StandardCharsets.UTF_8), refusal)
          .isEqualTo(expected != null);
    }
  }

  /** The last line of a live file is usually not whole yet. */
  @Property
  void noProperBeginningOfAnObjectIsAccepted(@ForAll("objects") String document) {
    byte[] b = document.getBytes(StandardCharsets.UTF_8);

    for (int to = 0; to < b.length; to++) {
      assertThat(refusalOf(java.util.Arrays.copyOf(b, to))).as("%s", to).isNotNull();
    }
  }

  private static boolean isKnownDifference(String refusal) {
    return refusal != null
        && (refusal.startsWith("nested deeper")
            || refusal.startsWith("a number of")
            || refusal.startsWith("lone surrogate"));
  }

  /** What Jackson reads of it, or null when it refuses. */
  private static JsonNode jackson(byte[] b) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b)).toString();
      JsonNode node = JACKSON.readTree(text);
      return node.isMissingNode() ? null : node;
    } catch (CharacterCodingException | JsonProcessingException e) {
      return null;
    }
  }

  private static String refusalOf(byte[] b) {
    try {
      if (Utf8.firstInvalid(b, 0, b.length) >= 0) {
        return "not UTF-8";
      }
      JsonScanner scanner = new JsonScanner();
      scanner.open(b, 0, b.length);
      scanner.skip();
      scanner.finish();
      return null;
    } catch (BadLineException e) {
      return e.getMessage();
    }
  }

  private static Object valueOf(byte[] b) throws BadLineException {
    // Bytes before and after must not matter: lines lie in the middle of a buffer.
    byte[] buffer = new byte[b.length + 6];
    java.util.Arrays.fill(buffer, (byte) '"');
    System.arraycopy(b, 0, buffer, 3, b.length);
    JsonScanner scanner = new JsonScanner();
    scanner.open(buffer, 3, 3 + b.length);
    Object value = value(scanner);
    scanner.finish();
    return value;
  }

  private static Object value(JsonScanner scanner) throws BadLineException {
    switch (scanner.peek()) {
      case '{' -> {
        Map<String, Object> map = new LinkedHashMap<>();
        scanner.beginObject();
        while (scanner.nextKey()) {
          map.put(scanner.key(), value(scanner));
        }
        return map;
      }
      case '[' -> {
        List<Object> list = new ArrayList<>();
        scanner.beginArray();
        while (scanner.nextElement()) {
          list.add(value(scanner));
        }
        return list;
      }
      case '"' -> {
        return scanner.string("text");
      }
      case 't', 'f' -> {
        return scanner.bool("flag");
      }
      case 'n' -> {
        assertThat(scanner.nullValue()).isTrue();
        return null;
      }
      default -> {
        // A negative zero is a zero for Jackson if it is written as an integer.
        return finite(scanner) + 0.0;
      }
    }
  }

  private static double finite(JsonScanner scanner) {
    try {
      return scanner.number("number");
    } catch (BadLineException e) {
      assertThat(e).hasMessageEndingWith("(expected: a number that fits a double)");
      return e.getMessage().startsWith("number: -")
          ? Double.NEGATIVE_INFINITY
          : Double.POSITIVE_INFINITY;
    }
  }

  private static Object plain(JsonNode node) {
    if (node.isObject()) {
      Map<String, Object> map = new LinkedHashMap<>();
      node.properties().forEach(e -> map.put(e.getKey(), plain(e.getValue())));
      return map;
    }
    if (node.isArray()) {
      List<Object> list = new ArrayList<>();
      node.forEach(n -> list.add(plain(n)));
      return list;
    }
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    return node.isNull() ? null : (Object) (node.doubleValue() + 0.0);
  }

  @Provide
  Arbitrary<String> documents() {
    return values(3);
  }

  @Provide
  Arbitrary<String> objects() {
    return objects(2);
  }

  private Arbitrary<String> values(int depth) {
    Arbitrary<String> leaf =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(3, texts()),
            net.jqwik.api.Tuple.of(3, numbers()),
            net.jqwik.api.Tuple.of(2, Arbitraries.of("true", "false", "null")));
    if (depth == 0) {
      return leaf;
    }
    Arbitrary<String> list =
        Combinators.combine(values(depth - 1).list().ofMaxSize(4), spaces())
            .as((items, s) -> s + "[" + s + String.join(s + "," + s, items) + "]" + s);
    return Arbitraries.oneOf(leaf, list, objects(depth));
  }

  private Arbitrary<String> objects(int depth) {
    Arbitrary<String> entry =
        Combinators.combine(texts(), spaces(), values(depth - 1)).as((k, s, v) -> k + s + ":" + v);
    return Combinators.combine(entry.list().ofMaxSize(4), spaces())
        .as((entries, s) -> "{" + s + String.join(s + "," + s, entries) + s + "}");
  }

  private static Arbitrary<String> spaces() {
    return Arbitraries.of("", "", "", " ", "\t", "\r", "  ");
  }

  private static Arbitrary<String> numbers() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(String::valueOf),
        Arbitraries.doubles().map(String::valueOf),
        Arbitraries.of(
            "0",
            "-0",
            "-0.0",
            "1e308",
            "-1E+300",
            "5e-324",
            "1e-400",
            "0.1e1",
            "9223372036854775807",
            "340282366920938463463374607431768211455",
            "1763600400.1234567",
            "2.2250738585072011e-308"));
  }

  private static Arbitrary<String> texts() {
    Arbitrary<String> part =
        Arbitraries.oneOf(
            Arbitraries.strings()
                .ascii()
                .excludeChars('"', '\\')
                .ofMaxLength(4)
                .map(JsonScannerTest::printable),
            Arbitraries.of(
                "\\\"",
                "\\\\",
                "\\/",
                "\\b",
                "\\f",
                "\\n",
                "\\r",
                "\\t",
                "\\u0041",
                "\\u00e9",
                "\\uD83D\\uDE00",
                "\\u0000",
                "é",
                "数学",
                "😀",
                "\u202e",
                "\u007f",
                "trace_id"));
    return part.list().ofMaxSize(4).map(parts -> '"' + String.join("", parts) + '"');
  }

  private static String printable(String ascii) {
    return ascii.replaceAll("\\p{Cntrl}", "~");
  }

  // ---- damage ----------------------------------------------------------------------------------

  /** One thing that went wrong with the bytes; positions count modulo the length. */
  record Damage(int kind, int at, byte value) {
    private static final byte[] USUAL =
        "{}[]\",:\\0123456789.eE+-ntfu \n\u0000".getBytes(StandardCharsets.US_ASCII);

    static byte[] all(List<Damage> damages, byte[] bytes) {
      byte[] damaged = bytes;
      for (Damage damage : damages) {
        damaged = damage.to(damaged);
      }
      return damaged;
    }

    private byte[] to(byte[] b) {
      int length = b.length;
      int i = length == 0 ? 0 : Math.floorMod(at, length);
      byte put = kind % 2 == 0 ? value : USUAL[Math.floorMod(value, USUAL.length)];
      java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
      out.write(b, 0, i);
      switch (kind / 2) {
        case 0 -> {} // cut off
        case 1 -> { // one byte lost
          out.write(b, Math.min(length, i + 1), Math.max(0, length - i - 1));
        }
        case 2 -> { // one byte more
          out.write(put);
          out.write(b, i, length - i);
        }
        default -> { // one byte changed
          out.write(put);
          out.write(b, Math.min(length, i + 1), Math.max(0, length - i - 1));
        }
      }
      return out.toByteArray();
    }
  }

  @Provide
  Arbitrary<List<Damage>> damages() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 7),
            Arbitraries.integers().between(0, 400),
            Arbitraries.bytes())
        .as(Damage::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3);
  }

  // ---- what we do differently, on purpose ------------------------------------------------------

  /** A fuzzer, or somebody's recursive structure: the stack must survive it. */
  @ParameterizedTest
  @ValueSource(ints = {5_000, 1_000_000})
  void nestingDeeperThan512IsRefusedWithoutRecursion(int depth) {
    assertThat(refusalOf("[".repeat(depth).getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo("nested deeper than 512 (expected: at most that)");
    assertThat(refusalOf(("[".repeat(512) + "]".repeat(512)).getBytes(StandardCharsets.US_ASCII)))
        .isNull();
  }

  /** Python writes integers of any length; reading them takes quadratic time. */
  @Test
  void numbersOfMoreThan1000DigitsAreRefused() {
    assertThat(refusalOf("9".repeat(1001).getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo("a number of 1001 digits (expected: at most 1000)");
    assertThat(refusalOf("9".repeat(1000).getBytes(StandardCharsets.US_ASCII))).isNull();
  }

  /** Half of an emoji that a tokenizer cut in two, written by Python's json with escapes. */
  @ParameterizedTest
  @ValueSource(
      strings = {"\\ud83d", "\\ude00", "\\ud83dx", "\\ud83d\\u0041", "\\ud83d\\ud83d", "\\ud83d\\"})
  void loneSurrogatesAreRefused(String inside) {
    assertThat(refusalOf(('"' + inside + '"').getBytes(StandardCharsets.US_ASCII)))
        .startsWith("lone surrogate \\ud")
        .contains("(expected: ");
  }

  /** Python's json module writes these although they are no JSON. */
  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity"})
  void wordsForNumbersThatAreNoneAreRefusedByName(String word) {
    assertThat(refusalOf(("[" + word + "]").getBytes(StandardCharsets.US_ASCII)))
        .startsWith("not JSON: " + word + " (expected: ");
  }

  // ---- typed values ----------------------------------------------------------------------------

  @Property
  void anyLongIsReadExactly(@ForAll long value) throws BadLineException {
    assertThat(scanner(Long.toString(value)).integer("n")).isEqualTo(value);
    assertThat(scanner(value + ".0").integer("n")).isEqualTo(value);
  }

  @Property
  void anyFiniteDoubleIsReadExactly(@ForAll double value) throws BadLineException {
    assertThat(scanner(Double.toString(value)).number("n")).isEqualTo(value);
    assertThat(scanner('"' + Double.toString(value) + '"').numberOrText("n")).isEqualTo(value);
  }

  /** A counter that overflowed, a step that was averaged, a number from a fuzzer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775808",
        "-9223372036854775809",
        "1.5",
        "1e19",
        "1e999999999",
        "1e-999999999",
        "1e99999999999",
        "1e-99999999999",
        "0.1",
        "1e400"
      })
  void whatIsNoWholeNumberOf64BitsIsRefused(String number) {
    assertThatThrownBy(() -> scanner(number).integer("step"))
        .isInstanceOf(BadLineException.class)
        .hasMessage("step: " + number + " (expected: a whole number of 64 bits)");
  }

  @ParameterizedTest
  @CsvSource({"0e5,0", "-0,0", "-0.0,0", "1e3,1000", "12.50e1,125"})
  void wholeNumbersMayBeWrittenAsFractions(String number, long value) throws BadLineException {
    assertThat(scanner(number).integer("step")).isEqualTo(value);
  }

  /** A clock that ran away. */
  @ParameterizedTest
  @ValueSource(strings = {"1e309", "-1e309", "1e99999999999"})
  void numbersBeyondADoubleAreRefused(String number) {
    assertThatThrownBy(() -> scanner(number).number("ts"))
        .hasMessage("ts: " + number + " (expected: a number that fits a double)");
  }

  /** XTuner's viewer takes what Python's float() takes; Java's own habits must not leak in. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "x", "NaN", "Infinity", "0x1p3", "1d", "1f", "1e", "--1", "1 2"})
  void textsThatAreNoNumberAreRefused(String text) {
    assertThatThrownBy(() -> scanner('"' + text + '"').numberOrText("ts"))
        .isInstanceOf(BadLineException.class)
        .hasMessageStartingWith("ts: \"")
        .hasMessageEndingWith(" (expected: a number)");
  }

  @ParameterizedTest
  @CsvSource({
    "number,{},a number",
    "text,[1],text",
    "flag,0,true or false",
    "whole,\"5\",a whole number"
  })
  void aValueOfTheWrongKindIsShownWithWhatWasExpected(String kind, String value, String expected) {
    assertThatThrownBy(
            () -> {
              JsonScanner scanner = scanner(value);
              switch (kind) {
                case "number" -> scanner.number("field");
                case "text" -> scanner.string("field");
                case "flag" -> scanner.bool("field");
                default -> scanner.integer("field");
              }
            })
        .hasMessage("field: " + value + " (expected: " + expected + ")");
  }

  /** A model's whole output in the wrong field must not fill the screen. */
  @Test
  void longValuesAreCutInMessages() {
    assertThatThrownBy(() -> scanner('"' + "数".repeat(1_000_000) + '"').number("ts"))
        .hasMessage("ts: \"" + "数".repeat(39) + "… (expected: a number)");
  }

  /** Every way in which a line can be broken has to be explained. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "[,1]",
        "[1 2]",
        "tru",
        "nul",
        "falsE",
        "01",
        "-",
        "1.",
        ".5",
        "+1",
        "1e",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\",
        "\"\t\"",
        "{} {}",
        "{}}",
        "\u0000",
        "é",
        "//x",
        "\"\\u00g0\"",
        "\uFEFF{}"
      })
  void everyRefusalSaysWhatWasExpected(String text) {
    assertThat(refusalOf(text.getBytes(StandardCharsets.UTF_8))).contains("(expected: ");
  }

  private static JsonScanner scanner(String text) {
    byte[] b = text.getBytes(StandardCharsets.UTF_8);
    JsonScanner scanner = new JsonScanner();
    scanner.open(b, 0, b.length);
    return scanner;
  }
}
