package io.rollscope.store.metric;

/** Names as Prometheus wants them. */
final class Names {
  private Names() {}

  /** A metric's name below a namespace, which it may begin with already. */
  static String metric(String namespace, String name) {
    String plain = sanitised(name, true);
    if (namespace.isEmpty() || plain.startsWith(namespace + "_")) {
      return plain.isEmpty() || isDigit(plain.charAt(0)) ? "_" + plain : plain;
    }
    return namespace + "_" + plain;
  }

  static String label(String name) {
    String plain = sanitised(name, false);
    boolean reserved = plain.isEmpty() || isDigit(plain.charAt(0));
    return reserved ? "_" + plain : plain.startsWith("__") ? "x" + plain : plain;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String sanitised(String name, boolean colons) {
    StringBuilder plain = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
      plain.append(letter || (colons && c == ':') ? c : '_');
    }
    return plain.toString();
  }
}
