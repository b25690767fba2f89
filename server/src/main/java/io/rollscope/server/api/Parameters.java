package io.rollscope.server.api;

import com.linecorp.armeria.common.QueryParams;
import io.rollscope.core.model.Status;
import io.rollscope.core.report.ReportRequest;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.Scope;
import io.rollscope.core.view.SessionFilter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The query of a request, checked: what a route does not know is refused, not passed over. */
final class Parameters {
  static final String FILTER = "status stage task worker q";
  static final String SCOPE = "scope batch now";
  static final String PAGE = "limit cursor";

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1_000;
  private static final int MAX_VALUE = 1_000;

  /** Behind the name of a parameter that may be repeated. */
  private static final String MANY = "*";

  private static final int MOST_REPEATED = 50;

  private final String path;
  private final Map<String, String> values;
  private final Map<String, List<String>> lists;

  private Parameters(String path, Map<String, String> values, Map<String, List<String>> lists) {
    this.path = path;
    this.values = values;
    this.lists = lists;
  }

  /**
   * @param known names; {@code *} behind one says that it may be repeated
   */
  static Parameters of(String path, QueryParams query, Collection<String> known)
      throws ApiException {
    Map<String, String> values = new TreeMap<>();
    Map<String, List<String>> lists = new TreeMap<>();
    for (String name : query.names()) {
      List<String> all = query.getAll(name);
      boolean many = known.contains(name + MANY);
      if (!known.contains(name) && !many) {
        throw ApiException.badRequest(
            "parameter: "
                + name
                + " (expected: "
                + (known.isEmpty() ? "none" : String.join(", ", known).replace(MANY, ""))
                + ")");
      }
      if (all.size() > (many ? MOST_REPEATED : 1)) {
        throw wrong(name, all.size() + " times", many ? "at most " + MOST_REPEATED : "once");
      }
      for (String value : all) {
        if (value.length() > MAX_VALUE) {
          throw wrong(name, value.length() + " characters", "at most " + MAX_VALUE);
        }
      }
      values.put(name, all.get(0));
      lists.put(name, List.copyOf(all));
    }
    return new Parameters(path, values, lists);
  }

  /** All values of a parameter that may be repeated. */
  List<String> all(String name) {
    return lists.getOrDefault(name, List.of());
  }

  /** A whole number, or null. */
  Long whole(String name) throws ApiException {
    String text = values.get(name);
    if (text != null && !text.matches("-?\\d{1,18}")) {
      throw wrong(name, text, "a whole number");
    }
    return text == null ? null : (Long) Long.parseLong(text);
  }

  /** The value, or null. */
  String text(String name) {
    return values.get(name);
  }

  Scope scope() throws ApiException {
    return scope(Scope.ACTIVE);
  }

  private Scope scope(Scope usual) throws ApiException {
    String batch = values.get("batch");
    if (batch != null) {
      return Scope.ofBatch(batch);
    }
    try {
      return values.containsKey("scope") ? Scope.named(values.get("scope")) : usual;
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(e.getMessage());
    }
  }

  /** Scope, filters and moment, as all reports know them. */
  ReportRequest request() throws ApiException {
    return request(Scope.ACTIVE);
  }

  /** The same, of this scope if none is asked for. */
  ReportRequest request(Scope usual) throws ApiException {
    SessionFilter filter =
        new SessionFilter(status(), text("stage"), text("task"), text("worker"), text("q"));
    return ReportRequest.of(scope(usual)).filter(filter).now(now());
  }

  /** Until when open work counts; unknown for what follows from the data. */
  private long now() throws ApiException {
    if ("now".equals(values.get("now"))) {
      return Nanos.ofClock();
    }
    Long asked = nanos("now");
    return asked == null ? Nanos.UNKNOWN : asked;
  }

  /** A session's status, or null. */
  String status() throws ApiException {
    String status = values.get("status");
    if (status != null && Arrays.stream(Status.values()).noneMatch(s -> s.word().equals(status))) {
      String words =
          Arrays.stream(Status.values()).map(Status::word).collect(Collectors.joining(", "));
      throw wrong("status", status, "one of " + words);
    }
    return status;
  }

  /** One of these words; the first if nothing is said. */
  String word(String name, String... allowed) throws ApiException {
    String word = values.getOrDefault(name, allowed[0]);
    if (!List.of(allowed).contains(word)) {
      throw wrong(name, word, String.join(" or ", allowed));
    }
    return word;
  }

  /** Refuses a parameter that means nothing beside another. */
  void refuse(String name, String beside) throws ApiException {
    if (values.containsKey(name)) {
      throw wrong(name, values.get(name), "none with " + beside);
    }
  }

  int limit() throws ApiException {
    return number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
  }

  int number(String name, int usual, int least, int most) throws ApiException {
    String text = values.get(name);
    if (text == null) {
      return usual;
    }
    long value = text.matches("\\d{1,9}") ? Long.parseLong(text) : -1;
    if (value < least || value > most) {
      throw wrong(name, text, least + " to " + most);
    }
    return (int) value;
  }

  /** A time in seconds since the epoch as nanoseconds, or null. */
  Long nanos(String name) throws ApiException {
    String text = values.get(name);
    if (text == null) {
      return null;
    }
    try {
      return new java.math.BigDecimal(text)
          .movePointRight(9)
          .setScale(0, java.math.RoundingMode.HALF_EVEN)
          .longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong(name, text, "seconds since the epoch");
    }
  }

  /** How many rows earlier pages had. */
  int offset() throws ApiException {
    String cursor = values.get("cursor");
    return cursor == null ? 0 : Cursor.offset(cursor, question());
  }

  /** The cursor for what comes after that many rows. */
  String cursorAt(int offset) {
    return Cursor.of(offset, question());
  }

  private String question() {
    Map<String, String> question = new TreeMap<>(values);
    question.remove("cursor");
    question.remove("limit");
    return path + question;
  }

  static ApiException wrong(String name, String value, String expected) {
    return ApiException.badRequest(name + ": " + value + " (expected: " + expected + ")");
  }
}
