package io.rollscope.sdk.internal.setting;

/** The program this is. */
final class Program {
  private Program() {}

  /** Its main class or jar, without folders and packages. */
  static String name() {
    return nameOf(System.getProperty("sun.java.command"));
  }

  static String nameOf(String command) {
    String first = command == null ? "" : command.strip().split("\\s+")[0];
    String file = first.substring(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1);
    String name =
        file.endsWith(".jar")
            ? file.substring(0, file.length() - 4)
            : file.substring(file.lastIndexOf('.') + 1);
    return name.isEmpty() ? "run" : name;
  }
}
