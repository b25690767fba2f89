package io.rollscope.formats.folder;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One change to a file of sample lines. Numbers count modulo what there is, so that any are good.
 * Lines are changed as Latin-1 texts: one character is one byte.
 */
record Mutation(int kind, int line, int at, int what) {
  static final int KINDS = 8;

  private static final Pattern VALUE =
      Pattern.compile("(?<=:) ?(\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9.eE+-]+|true|false|null)");

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1",
          "-0.0",
          "0.5",
          "1e308",
          "1e-320",
          "4611686018.4",
          "-4611686018.4",
          "4611686018427387904",
          "4611686018427387903",
          "9223372036854775807",
          "-9223372036854775808",
          "99999999999999999999",
          "4e15",
          "-4e15",
          "3.9e15",
          "1763600400",
          "1e9",
          "NaN",
          "Infinity",
          "\"\"",
          "\"x\"",
          "\"0\"",
          "\"1\"",
          "\"NaN\"",
          "\"-5\"",
          "[]",
          "{}",
          "[[]]",
          "{\"\":[]}",
          "\"\\u0000\"",
          "\"\\ud83d\\ude00\"",
          "\"\\ud83d\"",
          "\"\\u001b[31m\"",
          "\"completed\"",
          "\"failed\"",
          "\"aborted\"",
          "\"pending\"",
          "\"accepted\"",
          "\"X\"",
          "\"B\"",
          "\"E\"",
          "\"i\"",
          "\"M\"",
          "\"s\"",
          "\"session\"",
          "\"batch\"",
          "\"task\"",
          "\"op\"",
          "\"state\"",
          "\"xtuner.judger.judge.start\"",
          "\"xtuner.judger.judge.end\"",
          "\"xtuner.judger.judge.error\"",
          "\".start\"",
          "\".end\"",
          "\"CancelledError: x\"",
          "\"rl.kind\"",
          "\"rl.session.id\"",
          "\"rl.status\"",
          "\"rl.lane\"",
          "\"rl.run.id\"",
          "\"rl.train_step\"",
          "\"rl.batch.id\"",
          "\"run.id\"",
          "\"sample\"",
          "\"train_step=1\"",
          "\"0000000000000001\"",
          "\"00000000000000000000000000000001\"",
          "\"train.rollout\"",
          "\"1781000000.5\"");

  /** Changes one of the lines, or the number of lines. */
  void applyTo(List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    int i = Math.floorMod(line, lines.size());
    String before = lines.get(i);
    int from = before.isEmpty() ? 0 : Math.floorMod(at, before.length());
    String other = lines.get(Math.floorMod(what, lines.size()));
    switch (kind) {
      case 0, 1, 2 -> lines.set(i, withValue(before));
      case 3 ->
          lines.set(i, before.substring(0, from) + (char) (what & 0xff) + rest(before, from + 1));
      case 4 -> lines.set(i, before.substring(0, from) + rest(before, from + 1 + what % 40));
      case 5 ->
          lines.set(
              i,
              before.substring(0, from)
                  + latin1(VALUES.get(what % VALUES.size()))
                  + rest(before, from));
      case 6 ->
          lines.set(i, before.substring(0, from) + rest(other, Math.min(from, other.length())));
      default -> lines.add(i, other);
    }
  }

  private static String rest(String text, int from) {
    return text.substring(Math.min(from, text.length()));
  }

  private String withValue(String text) {
    Matcher value = VALUE.matcher(text);
    int count = (int) value.results().count();
    if (count == 0) {
      return text;
    }
    value.reset();
    for (int k = 0; k <= at % count; k++) {
      value.find();
    }
    return text.substring(0, value.start(1))
        + latin1(VALUES.get(what % VALUES.size()))
        + text.substring(value.end(1));
  }

  private static String latin1(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
