package io.rollscope.store.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Bounds the form of a SELECT before DuckDB sees it, whose parser and binder recurse: its length,
 * how deep brackets nest, how long chains of names are, how many items lists have, how deep text
 * that could be JSON nests. Whether it is SQL at all is not decided here.
 */
final class SqlText {
  static final int MAX_LENGTH = 100_000;
  static final int MAX_COLUMNS = 1_000;
  static final int MAX_VALUES = 10_000;
  static final int MAX_NESTING = 100;
  static final int MAX_CHAIN = 32;

  private final String text;
  private int at;

  /** Of brackets: what is open, innermost first. */
  private final Deque<Level> levels = new ArrayDeque<>();

  /** Whether what is next continues the expression before it: {@code .name}, {@code [1]}. */
  private boolean afterOperand;

  private boolean afterDot;
  private String lastWord = "";

  /** What is known of one level of brackets. */
  private static final class Level {
    final int mostItems;
    int items = 1;
    int chain;

    Level(int mostItems) {
      this.mostItems = mostItems;
    }
  }

  private SqlText(String text) {
    this.text = text;
    levels.push(new Level(MAX_COLUMNS));
  }

  /** Refuses what is too long, too wide or too deep. */
  static void check(String sql) throws SqlRefusedException {
    if (sql.length() > MAX_LENGTH) {
      throw tooMany(sql.length() + " characters", MAX_LENGTH);
    }
    new SqlText(sql).read();
  }

  private void read() throws SqlRefusedException {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
      } else if (text.startsWith("--", at)) {
        skipLine();
      } else if (text.startsWith("/*", at)) {
        skipTo("*/");
      } else if (c == '\'') {
        boolean escapes = lastWord.equals("e") && at > 0 && isNamePart(text.charAt(at - 1));
        operand();
        literal(at + 1, quotedEnd('\'', escapes));
      } else if (c == '"') {
        operand();
        quotedEnd('"', false);
      } else if (c == '$' && dollarTag() != null) {
        String tag = dollarTag();
        operand();
        int start = at + tag.length();
        at = start;
        skipTo(tag);
        literal(start, Math.max(start, at - tag.length()));
      } else if (isNamePart(c)) {
        word();
      } else {
        symbol(c);
      }
    }
  }

  private void skipTo(String end) {
    int found = text.indexOf(end, at);
    at = found < 0 ? text.length() : found + end.length();
  }

  private void skipLine() {
    while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
      at++;
    }
  }

  /** Moves behind a quoted text; returns where its inside ends. */
  private int quotedEnd(char quote, boolean escapes) {
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (escapes && c == '\\') {
        at++;
      } else if (c == quote) {
        if (at < text.length() && text.charAt(at) == quote) {
          at++;
        } else {
          return at - 1;
        }
      }
    }
    at = text.length();
    return at;
  }

  /** {@code $$} or {@code $tag$}, if that is what is here. */
  private String dollarTag() {
    int end = at + 1;
    while (end < text.length() && isNamePart(text.charAt(end)) && text.charAt(end) != '$') {
      end++;
    }
    boolean tag =
        end < text.length()
            && text.charAt(end) == '$'
            && (end == at + 1 || !Character.isDigit(text.charAt(at + 1)));
    return tag ? text.substring(at, end + 1) : null;
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c > 127;
  }

  /** Text that DuckDB may read as JSON, a list or a struct. */
  private void literal(int from, int to) throws SqlRefusedException {
    int depth = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '[' || c == '{') {
        if (++depth > MAX_NESTING) {
          throw tooMany(
              "text with more than " + MAX_NESTING + " brackets in brackets", MAX_NESTING);
        }
      } else if (c == ']' || c == '}') {
        depth = Math.max(0, depth - 1);
      }
    }
  }

  private void word() throws SqlRefusedException {
    int start = at;
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    lastWord = text.substring(start, at).toLowerCase(Locale.ROOT);
    if (lastWord.equals("select") || lastWord.equals("from") || lastWord.equals("by")) {
      levels.peek().items = 1;
    }
    operand();
  }

  /** A name, a number or a text begins; it belongs to the one before only after a dot. */
  private void operand() throws SqlRefusedException {
    if (!afterDot) {
      levels.peek().chain = 0;
    }
    afterDot = false;
    afterOperand = true;
  }

  private void symbol(char c) throws SqlRefusedException {
    at++;
    switch (c) {
      case '(', '{' -> open(c == '(' && lastWord.equals("in") ? MAX_VALUES : MAX_COLUMNS);
      case '[' -> {
        if (afterOperand) {
          lengthen();
        }
        open(MAX_VALUES);
      }
      case ')', ']', '}' -> {
        if (levels.size() > 1) {
          levels.pop();
        }
        afterDot = false;
        afterOperand = true;
      }
      case ',' -> {
        Level level = levels.peek();
        if (++level.items > level.mostItems) {
          throw tooMany("a list of more than " + level.mostItems + " items", level.mostItems);
        }
        level.chain = 0;
        afterOperand = false;
      }
      case '.' -> {
        lengthen();
        afterDot = true;
        afterOperand = false;
      }
      case ':' -> {
        if (at < text.length() && text.charAt(at) == ':') {
          at++;
          lengthen();
          afterDot = true; // A type continues the chain.
        }
        afterOperand = false;
      }
      default -> {
        afterDot = false;
        afterOperand = false;
      }
    }
    if (c != '(') {
      lastWord = "";
    }
  }

  private void open(int mostItems) throws SqlRefusedException {
    levels.push(new Level(mostItems));
    if (levels.size() - 1 > MAX_NESTING) {
      throw tooMany("more than " + MAX_NESTING + " brackets in brackets", MAX_NESTING);
    }
    afterDot = false;
    afterOperand = false;
    lastWord = "";
  }

  private void lengthen() throws SqlRefusedException {
    if (++levels.peek().chain > MAX_CHAIN) {
      throw tooMany("a name of more than " + MAX_CHAIN + " parts", MAX_CHAIN);
    }
  }

  private static SqlRefusedException tooMany(String what, int most) {
    return new SqlRefusedException("sql: " + what + " (expected: at most " + most + ")");
  }
}
