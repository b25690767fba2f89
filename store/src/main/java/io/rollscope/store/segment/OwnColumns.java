package io.rollscope.store.segment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rollscope.core.model.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Attributes that a column of their own holds with the same text. They are not repeated in {@code
 * attributes}: an entry there costs more than all core columns together.
 */
final class OwnColumns {
  private static final int LONGEST = 32;

  /** Longer numbers may not fit the column. */
  private static final int MOST_DIGITS = 18;

  private enum Form {
    TEXT,
    WHOLE,
    KIND
  }

  private record Known(byte[] key, Form form) {}

  private static final Known[][] BY_LENGTH = new Known[LONGEST][];
  private static final List<byte[]> KINDS = new ArrayList<>();

  static {
    for (Kind kind : Kind.values()) {
      KINDS.add(kind.word().getBytes(UTF_8));
    }
    add("rl.kind", Form.KIND);
    for (String key :
        List.of(
            "rl.run.id",
            "rl.session.id",
            "rl.batch.id",
            "rl.task.id",
            "rl.task.name",
            "rl.lane",
            "rl.stage",
            "rl.worker.role",
            "rl.status",
            "rl.reason",
            "service.instance.id",
            "host.name",
            "rollscope.source",
            "rollscope.clock")) {
      add(key, Form.TEXT);
    }
    for (String key :
        List.of(
            "rl.train_step",
            "rl.model_step",
            "rl.future_step",
            "rl.attempt",
            "rl.worker.rank",
            "process.pid")) {
      add(key, Form.WHOLE);
    }
  }

  private OwnColumns() {}

  private static void add(String key, Form form) {
    byte[] bytes = key.getBytes(UTF_8);
    Known[] same = BY_LENGTH[bytes.length];
    Known[] more = same == null ? new Known[1] : Arrays.copyOf(same, same.length + 1);
    more[more.length - 1] = new Known(bytes, form);
    BY_LENGTH[bytes.length] = more;
  }

  /** Whether a column holds this attribute. */
  static boolean hold(byte[] key, int keyFrom, int keyTo, byte[] value, int from, int to) {
    int length = keyTo - keyFrom;
    Known[] candidates = length < LONGEST ? BY_LENGTH[length] : null;
    if (candidates == null || from == to) {
      return false;
    }
    for (Known known : candidates) {
      if (Arrays.equals(known.key, 0, length, key, keyFrom, keyTo)) {
        return switch (known.form) {
          case TEXT -> true;
          case WHOLE -> isWhole(value, from, to);
          case KIND -> KINDS.stream().anyMatch(k -> Arrays.equals(k, 0, k.length, value, from, to));
        };
      }
    }
    return false;
  }

  private static boolean isWhole(byte[] value, int from, int to) {
    int start = value[from] == '-' ? from + 1 : from;
    if (to - start > MOST_DIGITS || to == start) {
      return false;
    }
    for (int i = start; i < to; i++) {
      if (value[i] < '0' || value[i] > '9') {
        return false;
      }
    }
    return true;
  }
}
