package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Objects of the training that throw whatever they are asked: nothing of it comes through. */
class HostileValuesTest {
  private final Quick quick = new Quick();

  private static RuntimeException thrown() {
    throw new LinkageError("mine");
  }

  private static final class HostileObject {
    @Override
    public String toString() {
      throw thrown();
    }

    @Override
    public int hashCode() {
      throw thrown();
    }

    @Override
    public boolean equals(Object other) {
      throw thrown();
    }
  }

  private static final class HostileText implements CharSequence {
    @Override
    public int length() {
      throw thrown();
    }

    @Override
    public char charAt(int index) {
      throw thrown();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      throw thrown();
    }

    @Override
    public String toString() {
      throw thrown();
    }
  }

  private static final class HostileNumber extends BigInteger {
    private static final long serialVersionUID = 1;

    HostileNumber() {
      super("1");
    }

    @Override
    public int bitLength() {
      throw thrown();
    }
  }

  private static final class HostileList extends AbstractList<Object> {
    @Override
    public Object get(int index) {
      throw thrown();
    }

    @Override
    public int size() {
      throw thrown();
    }
  }

  private static final class HostileMap extends AbstractMap<String, Object> {
    @Override
    public Set<Entry<String, Object>> entrySet() {
      throw thrown();
    }
  }

  private static final class HostileException extends CompletionException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw thrown();
    }

    @Override
    public synchronized Throwable getCause() {
      throw thrown();
    }

    @Override
    public String toString() {
      throw thrown();
    }

    @Override
    public void printStackTrace(PrintWriter writer) {
      throw thrown();
    }
  }

  private static List<Object> values() {
    List<Object> loop = new ArrayList<>();
    loop.add(loop);
    Map<String, Object> circle = new HashMap<>();
    circle.put("circle", List.of(circle));
    List<Object> deep = List.of();
    for (int i = 0; i < 20_000; i++) {
      deep = List.of(deep);
    }
    return List.of(
        new HostileObject(),
        new HostileText(),
        new HostileNumber(),
        new HostileList(),
        new HostileMap(),
        new Object[] {new HostileObject()},
        new HostileText[] {new HostileText()},
        List.of(new HostileObject(), new HostileText()),
        loop,
        circle,
        deep,
        "x".repeat(1_000_000),
        new HostileException());
  }

  @Test
  void nothingIsThrownAndWhatIsWellArrives() throws Exception {
    try (Rollscope rs = quick.builder().build()) {
      for (Object bad : values()) {
        try (Session session = rs.session("s");
            Phase phase = rs.phase("p")) {
          phase.set("k", bad);
          phase.setAll(Map.of("k", bad)).setAll(new HostileMap());
          rs.state("update", "lane").set("k", bad).close();
          phase.failed(new HostileException());
          session.failed(new HostileException());
        }
      }
      HostileException mine = new HostileException();
      Throwable out =
          catchThrowable(
              () ->
                  rs.session("s")
                      .call(
                          () -> {
                            throw mine;
                          }));
      assertThat(out == mine).isTrue();
      rs.phase("well").close();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
    }
    assertThat(quick.transport.spans()).anyMatch(span -> span.getName().equals("well"));
    assertThat(quick.transport.spans()).hasSize(values().size() * 3 + 2);
    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: setAll: "
                + HostileMap.class.getName()
                + " (expected: a map that can be read)");
  }

  @Test
  void transportThatThrowsAnErrorIsReportedAndSurvived() throws Exception {
    quick.transport.answer =
        (signal, body) -> {
          if (quick.warnings.isEmpty()) {
            throw new NoClassDefFoundError("left out of the jar");
          }
          return Sent.all();
        };
    try (Rollscope rs = quick.builder().build()) {
      rs.phase("a").close();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      rs.phase("b").close();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
    }
    assertThat(quick.warnings).hasSize(1);
    assertThat(quick.warnings.get(0)).contains("left out of the jar");
    assertThat(quick.transport.spans()).anyMatch(span -> span.getName().equals("b"));
  }
}
