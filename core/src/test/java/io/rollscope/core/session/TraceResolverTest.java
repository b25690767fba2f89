package io.rollscope.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceResolverTest {
  private record Span(
      long id, long parent, String service, String run, String session, boolean alone, boolean op) {
    static Span phase(long id, long parent) {
      return new Span(id, parent, "svc", null, null, false, false);
    }

    Span from(String by) {
      return new Span(id, parent, by, run, session, alone, op);
    }

    Span ofRun(String name) {
      return new Span(id, parent, service, name, session, alone, op);
    }

    Span ofSession(String name) {
      return new Span(id, parent, service, run, name, alone, op);
    }

    Span asOp() {
      return new Span(id, parent, service, run, session, true, true);
    }

    Span asBatch() {
      return new Span(id, parent, service, run, session, true, false);
    }
  }

  private record Trace(List<Span> spans) implements TraceSpans {
    @Override
    public int count() {
      return spans.size();
    }

    @Override
    public long spanId(int i) {
      return spans.get(i).id();
    }

    @Override
    public long parentId(int i) {
      return spans.get(i).parent();
    }

    @Override
    public int parent(int i) {
      long parent = spans.get(i).parent();
      for (int k = 0; k < spans.size(); k++) {
        if (spans.get(k).id() == parent) {
          return k;
        }
      }
      return parent == 0 ? NO_PARENT : NOT_SEEN;
    }

    @Override
    public long start(int i) {
      return spans.get(i).id();
    }

    @Override
    public String run(int i) {
      return spans.get(i).run();
    }

    @Override
    public String service(int i) {
      return spans.get(i).service();
    }

    @Override
    public String session(int i) {
      return spans.get(i).session();
    }

    @Override
    public String lane(int i) {
      return null;
    }

    @Override
    public boolean namesBatch(int i) {
      return spans.get(i).id() % 2 == 1;
    }

    @Override
    public String stage(int i) {
      return "stage " + spans.get(i).id();
    }

    @Override
    public boolean isAlone(int i) {
      return spans.get(i).alone();
    }

    @Override
    public boolean isWorkOfProcess(int i) {
      return spans.get(i).op();
    }
  }

  private final TraceResolver resolver = new TraceResolver();

  private TraceResolver resolve(Span... spans) {
    resolver.resolve(new Trace(List.of(spans)));
    return resolver;
  }

  @Test
  void aTraceThatNamesNoRunIsItsRootsServices() {
    Span root = Span.phase(1, 0).from("trainer");
    Span engine = Span.phase(2, 1).from("engine");
    assertThat(resolve(root, engine).run()).isEqualTo("trainer");
    assertThat(resolve(engine, root).run()).isEqualTo("trainer");
    Span other = Span.phase(3, 1).from("agent");
    assertThat(resolve(engine, other).run()).isEqualTo("agent");
    assertThat(resolve(other, engine).run()).isEqualTo("agent");
    assertThat(resolver.namesRun()).isFalse();
  }

  @Test
  void ofSeveralRootsTheEarliestNamesTheRun() {
    Span late = Span.phase(5, 0).from("a");
    Span early = Span.phase(4, 0).from("b");
    assertThat(resolve(late, early).run()).isEqualTo("b");
    assertThat(resolve(early, late).run()).isEqualTo("b");
  }

  @Test
  void aNamedRunWinsAlsoIfOnlyAVerdictNamesIt() {
    assertThat(resolve(Span.phase(1, 0), Span.phase(2, 1).ofRun("r")).run()).isEqualTo("r");
    resolve(Span.phase(1, 0)).name("of-verdict", "svc");
    assertThat(resolver.run()).isEqualTo("of-verdict");
    assertThat(resolver.namesRun()).isTrue();
  }

  @Test
  void theNearestAncestorThatNamesASessionHoldsWhateverCameFirst() {
    resolve(Span.phase(3, 2), Span.phase(2, 1), Span.phase(1, 0).ofSession("s"));
    assertThat(resolver.session(0)).isEqualTo("s");
    resolve(Span.phase(3, 2), Span.phase(2, 1).ofSession("inner"), Span.phase(1, 0).ofSession("s"));
    assertThat(resolver.session(0)).isEqualTo("inner");
    assertThat(resolver.session(2)).isEqualTo("s");
  }

  @Test
  void workInsideWorkIsInItsLaneAndBatch() {
    resolve(
        Span.phase(4, 2),
        Span.phase(2, 1).asOp(),
        Span.phase(1, 0).asOp(),
        Span.phase(6, 9).asOp());
    for (int i = 0; i < 3; i++) {
      assertThat(resolver.lane(i)).isEqualTo("stage 1");
      assertThat(resolver.batchOf(i)).isEqualTo(2);
    }
    assertThat(resolver.lane(3)).isEqualTo("stage 6");
    assertThat(resolver.batchOf(3)).isEqualTo(-1);
  }

  @Test
  void workInABatchIsInALaneOfItsOwn() {
    resolve(Span.phase(2, 1).asOp(), Span.phase(1, 0).asBatch());
    assertThat(resolver.lane(0)).isEqualTo("stage 2");
    assertThat(resolver.lane(1)).isEqualTo("stage 1");
  }

  /** Whichever span was read first. */
  @Test
  void parentsInACircleAreOneLane() {
    Span a = Span.phase(2, 3).asOp();
    Span b = Span.phase(3, 4).asOp();
    Span c = Span.phase(4, 2).asOp();
    Span below = Span.phase(5, 4);
    for (List<Span> order : List.of(List.of(a, b, c, below), List.of(below, c, a, b))) {
      resolver.resolve(new Trace(order));
      for (int i = 0; i < 4; i++) {
        assertThat(resolver.lane(i)).isEqualTo("stage 2");
        assertThat(resolver.isLane(i)).isTrue();
      }
    }
    resolve(Span.phase(7, 7).asOp());
    assertThat(resolver.lane(0)).isEqualTo("stage 7");
  }

  @Test
  void whatContinuesAnOpOfAnotherProcessIsWorkOfAProcess() {
    resolve(Span.phase(1, 0).asOp(), Span.phase(2, 1), Span.phase(3, 2));
    for (int i = 0; i < 3; i++) {
      assertThat(resolver.isLane(i)).isTrue();
    }
  }

  @Test
  void anOpInASessionAndWhatContinuesItAreOfThatSession() {
    resolve(Span.phase(1, 0).ofSession("s"), Span.phase(2, 1).asOp(), Span.phase(3, 2));
    assertThat(resolver.session(2)).isEqualTo("s");
    assertThat(resolver.isLane(1)).isFalse();
  }

  @Test
  void aPhaseInABatchIsASessionByItsTrace() {
    resolve(Span.phase(1, 0).asBatch(), Span.phase(2, 1));
    assertThat(resolver.isLane(0)).isTrue();
    assertThat(resolver.isLane(1)).isFalse();
    assertThat(resolver.session(1)).isNull();
  }

  @Test
  void parentsInACircleEnd() {
    resolve(Span.phase(1, 2), Span.phase(2, 1), Span.phase(3, 1));
    assertThat(resolver.session(2)).isNull();
    assertThat(resolver.isLane(0)).isFalse();
  }

  @Test
  void aMissingParentIsToldOnceWithItsEarliestChild() {
    List<String> missing = new ArrayList<>();
    resolve(Span.phase(4, 9), Span.phase(3, 9), Span.phase(5, 8).asOp(), Span.phase(6, 4));
    resolver.forEachMissing((parent, child) -> missing.add(parent + ":" + child));
    assertThat(missing).containsExactly("9:1");
    assertThat(resolver.isUndecided(3)).isTrue();
    long minute = 60_000_000_000L;
    assertThat(TraceResolver.isOver(0, 10 * minute)).isFalse();
    assertThat(TraceResolver.isOver(0, 10 * minute + 1)).isTrue();
  }
}
