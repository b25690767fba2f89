package io.rollscope.formats.scan;

import ch.randelshofer.fastdoubleparser.JsonDoubleParser;
import io.rollscope.core.table.Dictionary;
import java.nio.charset.StandardCharsets;

/**
 * A strict, forward-only reader of one JSON text in a byte array. The caller asks for what it
 * expects; anything else is a {@link BadLineException} that says what was found.
 *
 * <pre>{@code
 * scanner.open(buffer, from, to);
 * scanner.beginObject();
 * while (scanner.nextKey()) {
 *   if (scanner.key().equals("ts")) { ts = scanner.number("ts"); } else { scanner.skip(); }
 * }
 * scanner.finish();
 * }</pre>
 */
public final class JsonScanner extends JsonTokens {
  private static final int MAX_DEPTH = 512;

  private boolean first;

  private int keyFrom;
  private int keyTo;
  private boolean keyEscaped;

  /** Starts on the bytes from {@code from} to {@code to}. */
  public void open(byte[] buffer, int from, int to) {
    b = buffer;
    p = from;
    end = to;
    first = false;
  }

  public int position() {
    return p;
  }

  // ---- structure -------------------------------------------------------------------------------

  public void beginObject() throws BadLineException {
    begin('{', "a JSON object");
  }

  public void beginArray() throws BadLineException {
    begin('[', "a list");
  }

  /** An object as the value of a field. */
  public void beginObject(String field) throws BadLineException {
    if (peek() != '{') {
      throw wrongType(field, "an object");
    }
    beginObject();
  }

  /** A list as the value of a field. */
  public void beginArray(String field) throws BadLineException {
    if (peek() != '[') {
      throw wrongType(field, "a list");
    }
    beginArray();
  }

  private void begin(char bracket, String what) throws BadLineException {
    if (peek() != bracket) {
      throw unexpected(what);
    }
    p++;
    first = true;
  }

  /** Moves to the next key; false at the end of the object. */
  public boolean nextKey() throws BadLineException {
    if (!nextItem('}')) {
      return false;
    }
    if (peek() != '"') {
      throw unexpected("a key in quotes");
    }
    scanString();
    keyFrom = tokenFrom;
    keyTo = tokenTo;
    keyEscaped = escaped;
    if (peek() != ':') {
      throw unexpected("':' after a key");
    }
    p++;
    return true;
  }

  /** Moves to the next element; false at the end of the list. */
  public boolean nextElement() throws BadLineException {
    return nextItem(']');
  }

  private boolean nextItem(char close) throws BadLineException {
    int c = peek();
    boolean wasFirst = first;
    first = false;
    if (c == close) {
      p++;
      return false;
    }
    if (wasFirst) {
      return true;
    }
    if (c != ',') {
      throw unexpected("',' or '" + close + "'");
    }
    p++;
    return true;
  }

  /** Checks that nothing but white space follows. */
  public void finish() throws BadLineException {
    skipSpace();
    if (p < end) {
      throw unexpected("the end of the line");
    }
  }

  /** Number of the current key among those a format knows, or -1. */
  public int key(KeySet known) throws BadLineException {
    if (keyEscaped) {
      byte[] plain = key().getBytes(StandardCharsets.UTF_8);
      return known.indexOf(plain, 0, plain.length);
    }
    return known.indexOf(b, keyFrom, keyTo);
  }

  /** Number of the current key in a dictionary. */
  public int internKey(Dictionary dictionary) throws BadLineException {
    return keyEscaped ? dictionary.intern(key()) : dictionary.intern(b, keyFrom, keyTo - keyFrom);
  }

  /** The current key. */
  public String key() throws BadLineException {
    return text(keyFrom, keyTo, keyEscaped);
  }

  // ---- values ----------------------------------------------------------------------------------

  /** Consumes a null if there is one. */
  public boolean nullValue() throws BadLineException {
    if (peek() != 'n') {
      return false;
    }
    literal("null");
    return true;
  }

  public boolean bool(String field) throws BadLineException {
    char c = peek();
    if (c == 't') {
      literal("true");
      return true;
    }
    if (c == 'f') {
      literal("false");
      return false;
    }
    throw wrongType(field, "true or false");
  }

  /** A finite number. */
  public double number(String field) throws BadLineException {
    if (!isNumber(peek())) {
      throw wrongType(field, "a number");
    }
    scanNumber();
    return numberToken(field);
  }

  /** A number, or text that is one. */
  public double numberOrText(String field) throws BadLineException {
    if (peek() != '"') {
      return number(field);
    }
    String text = string(field).strip();
    try {
      double value = Double.parseDouble(text);
      // Java also takes words, hexadecimal digits and a type at the end.
      boolean plain = text.chars().allMatch(c -> "+-.eE0123456789".indexOf(c) >= 0);
      if (plain && Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below like any other text that is no number.
    }
    throw BadLineException.expected(field, '"' + text + '"', "a number");
  }

  /** Value of the number token scanned last. */
  public double numberToken(String field) throws BadLineException {
    double value = JsonDoubleParser.parseDouble(b, tokenFrom, tokenTo - tokenFrom);
    if (Double.isInfinite(value)) {
      throw BadLineException.expected(field, tokenText(), "a number that fits a double");
    }
    return value;
  }

  /** A whole number of 64 bits; {@code 3.0} counts as 3. */
  public long integer(String field) throws BadLineException {
    if (!isNumber(peek())) {
      throw wrongType(field, "a whole number");
    }
    scanNumber();
    long value = 0;
    int i = tokenFrom;
    boolean negative = b[i] == '-';
    if (negative) {
      i++;
    }
    if (tokenTo - i <= 18) {
      for (; i < tokenTo && b[i] >= '0' && b[i] <= '9'; i++) {
        value = value * 10 + (b[i] - '0');
      }
      if (i == tokenTo) {
        return negative ? -value : value;
      }
    }
    try {
      return new java.math.BigDecimal(tokenText()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      // Of the two, the latter is about exponents beyond 32 bits.
      throw BadLineException.expected(field, tokenText(), "a whole number of 64 bits");
    }
  }

  /** A text. */
  public String string(String field) throws BadLineException {
    stringToken(field);
    return tokenText();
  }

  /** A text, left in place; see {@link #tokenFrom()}. */
  public void stringToken(String field) throws BadLineException {
    if (peek() != '"') {
      throw wrongType(field, "text");
    }
    scanString();
  }

  /** A text or a number, as text. */
  public String scalar(String field) throws BadLineException {
    char c = peek();
    if (c == '"') {
      return string(field);
    }
    if (!isNumber(c)) {
      throw wrongType(field, "text or a number");
    }
    scanNumber();
    return tokenText();
  }

  /** Number of the text or number scanned last in a dictionary; it must not be escaped. */
  public int intern(Dictionary dictionary) {
    return dictionary.intern(b, tokenFrom, tokenTo - tokenFrom);
  }

  /** Start of the number, or of the inside of the text, scanned last. */
  public int tokenFrom() {
    return tokenFrom;
  }

  /** Its end. */
  public int tokenTo() {
    return tokenTo;
  }

  /** Whether the text scanned last has escapes, so that its bytes are not its characters. */
  public boolean tokenEscaped() {
    return escaped;
  }

  /** The text or number scanned last. */
  public String tokenText() throws BadLineException {
    return text(tokenFrom, tokenTo, escaped);
  }

  /** Steps over one value of any kind, checking that it is well formed. */
  public void skip() throws BadLineException {
    skip(0);
    first = false;
  }

  private void skip(int depth) throws BadLineException {
    if (depth > MAX_DEPTH) {
      throw new BadLineException("nested deeper than " + MAX_DEPTH + " (expected: at most that)");
    }
    char c = peek();
    switch (c) {
      case '"' -> scanString();
      case '{' -> {
        beginObject();
        while (nextKey()) {
          skip(depth + 1);
        }
      }
      case '[' -> {
        beginArray();
        while (nextElement()) {
          skip(depth + 1);
        }
      }
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> {
        if (!isNumber(c)) {
          throw unexpected("a JSON value");
        }
        scanNumber();
      }
    }
  }

  /** A value of the wrong kind, whose text is shown. */
  public BadLineException wrongType(String field, String expected) {
    int from = p;
    try {
      skip();
    } catch (BadLineException e) {
      return e;
    }
    String found = new String(b, from, p - from, StandardCharsets.UTF_8);
    return BadLineException.expected(field, found, expected);
  }
}
