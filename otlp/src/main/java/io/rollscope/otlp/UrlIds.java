package io.rollscope.otlp;

/**
 * Ids of runs and sessions are parts of URLs. What no server takes there, however it is escaped,
 * nobody could ask for: control characters, and {@code ..} between separators.
 */
final class UrlIds {
  private String good;

  /** Whether an id can be asked for; null is no id. The last good one is not looked at again. */
  @SuppressWarnings("ReferenceEquality") // texts of a request are shared; equal ones are the same
  boolean isAskable(String id) {
    if (id == null || id == good) {
      return true;
    }
    if (!fits(id)) {
      return false;
    }
    good = id;
    return true;
  }

  private static boolean fits(String id) {
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c < ' ' || c == 0x7f || c == '.' && isParent(id, i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isParent(String id, int at) {
    return id.startsWith("..", at) && isEnd(id, at - 1) && isEnd(id, at + 2);
  }

  private static boolean isEnd(String id, int at) {
    return at < 0 || at >= id.length() || "/\\;".indexOf(id.charAt(at)) >= 0;
  }
}
