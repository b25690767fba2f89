package io.rollscope.sdk.internal.encode;

import io.rollscope.sdk.internal.span.Values;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/** Writes attributes: {@code KeyValue} and {@code AnyValue} messages. */
final class AttributeWriting {
  /**
   * In characters: the server takes 1,024 bytes for names and ids, and a character may be three.
   */
  static final int MAX_NAME = 341;

  private static final int HASH_BYTES = 8;

  /** Keys whose values the server takes for names or ids, and cuts when they are longer. */
  private static final Set<String> NAMES =
      Set.of(
          ("rl.run.id run.id project experiment_name rl.session.id xtuner.rollout_id sample session"
                  + " traj rl.task.id xtuner.group_id rl.task.name xtuner.task_name rl.batch.id"
                  + " rl.train_step xtuner.producer_future_step global_steps train.step"
                  + " rl.model_step rl.future_step rl.kind rl.lane state_lane_id"
                  + " monitor.trace_segment rl.stage rl.state xtuner.stage stage.name state_name"
                  + " rl.attempt rl.worker.role rl.worker.rank rl.status xtuner.status service.name"
                  + " service.instance.id host.name process.pid rl.project rl.system"
                  + " rollscope.run.default rollscope.source rollscope.clock rollscope.span.name"
                  + " rollscope.span.parent_id rollscope.open_spans rollscope.dropped.spans"
                  + " rollscope.dropped.starts rollscope.dropped.metrics event.name")
              .split(" "));

  private final Sink out;
  private final int field;

  /**
   * @param field number of the list in the message at hand
   */
  AttributeWriting(Sink out, int field) {
    this.out = out;
    this.field = field;
  }

  static boolean has(Object[] entries, int size, String key) {
    return isAmong(entries, 0, size, key);
  }

  private static boolean isAmong(Object[] entries, int from, int size, String key) {
    for (int i = from; i < size; i += 2) {
      if (entries[i].equals(key)) {
        return true;
      }
    }
    return false;
  }

  /** Keys and values in turn; of a key that occurs twice the last value. */
  void all(Object[] entries, int size) {
    for (int i = 0; i < size; i += 2) {
      String key = (String) entries[i];
      if (!isAmong(entries, i + 2, size, key)) {
        one(key, entries[i + 1]);
      }
    }
  }

  /** Unless there is no value. */
  void one(String key, Object value) {
    if (value == null) {
      return;
    }
    out.openElement(field);
    out.text(1, "key", key);
    out.open(2, "value");
    any(value instanceof String text ? fitting(key, text) : value);
    out.close();
    out.close();
  }

  private static String fitting(String key, String text) {
    return text.length() > MAX_NAME && NAMES.contains(key) ? identity(text) : text;
  }

  /** A name or an id, cut, but still another text for another one. */
  private static String identity(String text) {
    byte[] whole = text.getBytes(StandardCharsets.UTF_8);
    String hash = HexFormat.of().formatHex(sha256().digest(whole), 0, HASH_BYTES);
    return Values.cut(text, MAX_NAME - 1 - hash.length()) + '#' + hash;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void any(Object value) {
    if (value instanceof String text) {
      out.text(1, "stringValue", text);
    } else if (value instanceof Boolean flag) {
      out.flag(2, "boolValue", flag);
    } else if (value instanceof Long number) {
      out.int64(3, "intValue", number);
    } else if (value instanceof Double number) {
      out.real(4, "doubleValue", number);
    } else {
      list(value);
    }
  }

  private void list(Object array) {
    out.open(5, "arrayValue");
    out.openList("values");
    int length = java.lang.reflect.Array.getLength(array);
    for (int i = 0; i < length; i++) {
      out.openElement(1);
      any(java.lang.reflect.Array.get(array, i));
      out.close();
    }
    out.closeList();
    out.close();
  }
}
