package io.rollscope.formats.chrome;

import io.rollscope.formats.scan.BadLineException;
import io.rollscope.formats.scan.JsonScanner;
import io.rollscope.formats.scan.KeySet;

/**
 * One event, left as bytes: where in the line the parts stand that a conversion looks at. The
 * object is a buffer, used for one line after another.
 */
final class EventLine {
  private static final KeySet KEYS =
      new KeySet("name", "ph", "ts", "dur", "pid", "tid", "id", "args");
  private static final KeySet ARGUMENTS =
      new KeySet("rank", "role", "name", "global_step", "correlation");

  /** What a part must be. */
  private enum Form {
    ANYTHING(""),
    TEXT("text"),
    NUMBER("a number"),
    NUMBER_OR_TEXT("a number or text");

    private final String words;

    Form(String words) {
      this.words = words;
    }

    /** Whether a value that begins so has this form; null is as good as nothing. */
    private boolean allows(char first) {
      boolean number = first == '-' || (first >= '0' && first <= '9');
      return switch (this) {
        case ANYTHING -> true;
        case TEXT -> first == '"';
        case NUMBER -> number || first == 'n';
        case NUMBER_OR_TEXT -> number || first == '"' || first == 'n';
      };
    }
  }

  /** A part of the line, from its first byte to behind its last; empty if it is not there. */
  static final class Part {
    private final String field;
    private final Form form;
    int from;
    int to;

    private Part(String field, Form form) {
      this.field = field;
      this.form = form;
    }

    boolean isThere() {
      return to > from;
    }

    private void clear() {
      from = to = 0;
    }
  }

  private final JsonScanner scanner = new JsonScanner();

  byte[] bytes;

  /** From the opening to behind the closing bracket. */
  final Part whole = new Part("event", Form.ANYTHING);

  final Part name = new Part("name", Form.TEXT);
  final Part ts = new Part("ts", Form.NUMBER);
  final Part dur = new Part("dur", Form.NUMBER);
  final Part pid = new Part("pid", Form.NUMBER_OR_TEXT);
  final Part tid = new Part("tid", Form.NUMBER_OR_TEXT);
  final Part id = new Part("id", Form.ANYTHING);
  final Part rank = new Part("rank", Form.ANYTHING);
  final Part role = new Part("role", Form.ANYTHING);
  final Part correlation = new Part("correlation", Form.ANYTHING);
  final Part step = new Part("global_step", Form.ANYTHING);

  /** {@code args.name}, which metadata has. */
  final Part given = new Part("name", Form.ANYTHING);

  private final Part phase = new Part("ph", Form.TEXT);

  /** Whatever else there is. */
  private final Part rest = new Part("", Form.ANYTHING);

  /** Reads a line; a later key of the same name replaces an earlier one, as everywhere. */
  void read(byte[] b, int from, int to) throws BadLineException {
    bytes = b;
    name.clear();
    phase.clear();
    ts.clear();
    dur.clear();
    pid.clear();
    tid.clear();
    id.clear();
    clearArguments();
    scanner.open(b, from, to);
    scanner.peek();
    int start = scanner.position();
    scanner.beginObject();
    while (scanner.nextKey()) {
      field();
    }
    whole.from = start;
    whole.to = scanner.position();
    scanner.finish();
    if (!phase.isThere()) {
      throw new BadLineException("no ph (expected: a Chrome trace event)");
    }
  }

  private void clearArguments() {
    rank.clear();
    role.clear();
    correlation.clear();
    step.clear();
    given.clear();
  }

  /** One place that steps over values: it is what the compiler spends its time on. */
  private void take(Part part) throws BadLineException {
    char first = scanner.peek();
    if (!part.form.allows(first)) {
      throw scanner.wrongType(part.field, part.form.words);
    }
    int from = scanner.position();
    scanner.skip();
    part.from = from;
    part.to = first == 'n' && part.form != Form.ANYTHING ? from : scanner.position();
  }

  private void field() throws BadLineException {
    Part part =
        switch (scanner.key(KEYS)) {
          case 0 -> name;
          case 1 -> phase;
          case 2 -> ts;
          case 3 -> dur;
          case 4 -> pid;
          case 5 -> tid;
          case 6 -> id;
          case 7 -> null;
          default -> rest;
        };
    if (part == null) {
      arguments();
    } else {
      take(part);
    }
  }

  private void arguments() throws BadLineException {
    clearArguments();
    if (scanner.nullValue()) {
      return;
    }
    if (scanner.peek() != '{') {
      throw scanner.wrongType("args", "an object");
    }
    scanner.beginObject();
    while (scanner.nextKey()) {
      take(
          switch (scanner.key(ARGUMENTS)) {
            case 0 -> rank;
            case 1 -> role;
            case 2 -> given;
            case 3 -> step;
            case 4 -> correlation;
            default -> rest;
          });
    }
  }

  /** The phase if it is one character, as all that matter here; else 0. */
  char phase() {
    return phase.to - phase.from == 3 ? (char) bytes[phase.from + 1] : 0;
  }

  boolean isFlow() {
    char c = phase();
    return c == 's' || c == 't' || c == 'f';
  }

  /** Whether a value can be renumbered: a number or a text. */
  boolean isScalar(Part part) {
    if (!part.isThere()) {
      return false;
    }
    byte c = bytes[part.from];
    return c == '"' || c == '-' || (c >= '0' && c <= '9');
  }

  boolean isText(Part part) {
    return part.isThere() && bytes[part.from] == '"';
  }

  /** The characters of a text. */
  String text(Part part) throws BadLineException {
    return Rank.decoded(bytes, part.from, part.to);
  }
}
