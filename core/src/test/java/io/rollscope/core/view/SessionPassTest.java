package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.core.model.Coordinates;
import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.table.Chunk;
import io.rollscope.core.table.RowKind;
import io.rollscope.core.table.SpanName;
import io.rollscope.core.table.SpanTable;
import io.rollscope.core.time.Nanos;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionPassTest {
  private static final int SESSIONS = 5_000;

  private static SpanTable table() {
    Chunk.Words words = new Chunk.Words();
    Chunk chunk = new Chunk(words);
    int name = words.names.intern(new SpanName("x", "x"));
    int at = words.coordinates.intern(Coordinates.NONE);
    byte point = RowKind.of(RowKind.POINT, Outcome.OK, Kind.PHASE);
    for (int s = 0; s < SESSIONS; s++) {
      chunk.add(words.sessions.intern("s" + s), point, name, s, Nanos.UNKNOWN, at, -1, s);
    }
    SpanTable table = new SpanTable();
    table.append(chunk, 0);
    return table;
  }

  @Test
  void everySessionIsVisitedOnceAndInOrder() {
    List<String> all =
        SessionPass.run(
            table(),
            null,
            ArrayList<String>::new,
            (visited, spans) -> visited.add(spans.table().key(spans.session())),
            ArrayList::addAll);
    assertThat(all).hasSize(SESSIONS).startsWith("s0", "s1").endsWith("s" + (SESSIONS - 1));
  }

  /** Memory runs out in one of the threads: half an answer would be a wrong one. */
  @Test
  void anErrorInAnyPartReachesTheCaller() {
    for (int bad : new int[] {0, SESSIONS / 2, SESSIONS - 1}) {
      assertThatThrownBy(
              () ->
                  SessionPass.run(
                      table(),
                      null,
                      ArrayList<String>::new,
                      (visited, spans) -> {
                        if (spans.session() == bad) {
                          throw new OutOfMemoryError("test");
                        }
                      },
                      ArrayList::addAll))
          .isInstanceOf(OutOfMemoryError.class);
    }
  }
}
