package io.rollscope.cli.render;

/** Colours, or none. */
public record Style(boolean coloured) {
  public String bold(String text) {
    return wrap("1", text);
  }

  public String dim(String text) {
    return wrap("2", text);
  }

  public String red(String text) {
    return wrap("31", text);
  }

  public String green(String text) {
    return wrap("32", text);
  }

  public String yellow(String text) {
    return wrap("33", text);
  }

  public String cyan(String text) {
    return wrap("36", text);
  }

  /** A status in the colour people expect. */
  public String status(String word, String shown) {
    return switch (word) {
      case "failed", "lost" -> red(shown);
      case "running" -> cyan(shown);
      case "completed", "accepted" -> green(shown);
      case "rejected", "dropped", "cancelled" -> yellow(shown);
      default -> dim(shown);
    };
  }

  private String wrap(String code, String text) {
    return coloured && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
