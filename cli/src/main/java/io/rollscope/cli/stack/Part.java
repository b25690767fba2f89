package io.rollscope.cli.stack;

import java.util.List;
import java.util.Locale;

/** A program of the stack. */
public enum Part {
  PROMETHEUS(9090, "/-/ready"),
  TEMPO(3200, "/ready"),
  GRAFANA(3000, "/api/health");

  private final int usualPort;
  private final String readyPath;

  Part(int usualPort, String readyPath) {
    this.usualPort = usualPort;
    this.readyPath = readyPath;
  }

  /** Its name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What its program is called, the likeliest first. */
  List<String> programs() {
    return this == GRAFANA ? List.of("grafana", "grafana-server") : List.of(word());
  }

  public int usualPort() {
    return usualPort;
  }

  /** Answers with 200 once the program can be used. */
  String readyPath() {
    return readyPath;
  }
}
