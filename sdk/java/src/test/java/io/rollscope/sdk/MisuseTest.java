package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Nothing is thrown into a training, and nothing is silent. */
class MisuseTest {
  private static final Set<String> NOT_TRIED = Set.of("close", "equals", "hashCode", "toString");

  private final Quick quick = new Quick();

  private static List<Method> methods(Class<?> type) {
    List<Method> found = new ArrayList<>();
    for (Method method : type.getMethods()) {
      boolean own = method.getDeclaringClass() != Object.class && !method.isBridge();
      if (own
          && !Modifier.isStatic(method.getModifiers())
          && !NOT_TRIED.contains(method.getName())) {
        found.add(method);
      }
    }
    return found;
  }

  private static Object nothing(Class<?> type) {
    if (!type.isPrimitive()) {
      return null;
    }
    return type == boolean.class ? false : type == double.class ? (Object) Double.NaN : -1L;
  }

  @SuppressWarnings("DoNotCall")
  private static void callWithNothing(Object on) {
    for (Method method : methods(on.getClass())) {
      Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = nothing(method.getParameterTypes()[i]);
      }
      method.setAccessible(true);
      try {
        method.invoke(on, arguments);
      } catch (InvocationTargetException e) {
        throw new AssertionError(method + " threw", e.getCause());
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** On a thread of its own, which the phases that are left open stay current on. */
  private static void everythingWithNothing(Rollscope rs) throws Exception {
    FutureTask<?> calls = new FutureTask<>(() -> callEverything(rs), null);
    new Thread(calls).start();
    calls.get();
  }

  private static void callEverything(Rollscope rs) {
    callWithNothing(rs);
    callWithNothing(rs.batch(1));
    callWithNothing(rs.task("t"));
    callWithNothing(rs.session());
    callWithNothing(rs.phase("p"));
    callWithNothing(rs.state("s", "lane"));
    callWithNothing(rs.counter("c"));
    callWithNothing(rs.gauge("g"));
    callWithNothing(rs.histogram("h"));
  }

  @Test
  void noMethodThrowsWhateverItIsGiven() throws Exception {
    try (Rollscope rs = quick.builder().quiet(true).build()) {
      everythingWithNothing(rs);
      everythingWithNothing(rs);
    }
    everythingWithNothing(Rollscope.disabled());

    assertThat(quick.warnings)
        .doesNotHaveDuplicates()
        .contains(
            "rollscope: phase: null (expected: a name)",
            "rollscope: state: null (expected: a name)",
            "rollscope: task: null (expected: an id)",
            "rollscope: batch: null (expected: an id, or a training step)",
            "rollscope: wrap: null (expected: an executor)",
            "rollscope: wrap: null (expected: a future)",
            "rollscope: inject: null (expected: headers)",
            "rollscope: extract: null (expected: headers)",
            "rollscope: flush: null (expected: how long it may take)",
            "rollscope: call: null (expected: code to run)",
            "rollscope: run: null (expected: code to run)",
            "rollscope: traceAsync: null (expected: code that gives a future)",
            "rollscope: setAll: null (expected: a map that can be read)",
            "rollscope: attribute of p: null (expected: a name)");
  }

  @Test
  void namesAreUnknownWhereThereAreNone() {
    try (Rollscope rs = quick.builder().quiet(true).build()) {
      rs.phase("").close();
      rs.state("", "lane").close();
    }

    assertThat(quick.transport.spans()).extracting(Span::getName).containsOnly("unknown");
    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: phase: \"\" (expected: a name)",
            "rollscope: state: \"\" (expected: a name)");
  }

  @Test
  void whatIsSetAfterTheEndIsSaid() {
    try (Rollscope rs = quick.builder().quiet(true).build()) {
      Phase phase = rs.phase("a");
      phase.close();
      phase.set("late", 1).set("late", "x").set("late", List.of(1));
      Session session = rs.session();
      session.close();
      session.count("turns");
    }

    assertThat(quick.warnings)
        .containsExactly(
            "rollscope: attribute of a: late (expected: to be set before the end)",
            "rollscope: count: turns (expected: a name, of at most 64, before the session is closed)");
  }

  /** A table in an attribute, a thousand attributes, a list without end. */
  @Test
  void whatIsCutIsMarkedAndCounted() {
    Map<String, Object> many = new HashMap<>();
    for (int i = 0; i < 130; i++) {
      many.put("k" + i, i);
    }
    try (Rollscope rs = quick.builder().quiet(true).build()) {
      rs.phase("long").set("table", "x".repeat(5_000)).set("list", new long[2_000]).close();
      rs.phase("many").setAll(many).close();
      rs.phase("prompt").set("prompt", "x".repeat(5_000)).close();
      rs.phase("fits").set("a", "x".repeat(4_096)).set("b", List.of(1, 2)).close();
      assertThat(rs.flush(Quick.PATIENCE)).isTrue();
      assertThat(rs.stats().cutAttributes()).isEqualTo(4);
    }

    assertThat(cut("long")).isEqualTo("2: table, list");
    assertThat(cut("many")).matches("2: k\\d+, k\\d+");
    assertThat(span("many").getDroppedAttributesCount()).isEqualTo(2);
    assertThat(cut("prompt")).isNull();
    assertThat(cut("fits")).isNull();
    var end = quick.transport.logs("rollscope.process.end").get(0);
    assertThat(MemoryTransport.number(end, "rollscope.cut.attributes")).isEqualTo(4);
  }

  private Span span(String name) {
    return quick.transport.spans().stream()
        .filter(s -> s.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String cut(String name) {
    return span(name).getAttributesList().stream()
        .filter(a -> a.getKey().equals("rollscope.cut"))
        .map(a -> a.getValue().getStringValue())
        .findFirst()
        .orElse(null);
  }

  /** A prompt as an id: two that begin alike stay two. */
  @Test
  void longIdsStayDifferent() {
    String prompt = "p".repeat(2_000);
    try (Rollscope rs = quick.builder().quiet(true).build()) {
      rs.session(prompt + "1").close();
      rs.session(prompt + "2").close();
      rs.session(prompt + "1").close();
    }

    List<String> ids =
        quick.transport.spans().stream()
            .flatMap(s -> s.getAttributesList().stream())
            .filter(a -> a.getKey().equals("rl.session.id"))
            .map(a -> a.getValue().getStringValue())
            .toList();
    assertThat(ids).hasSize(3).allSatisfy(id -> assertThat(id).hasSize(341).startsWith("pppp"));
    assertThat(ids.get(0)).isEqualTo(ids.get(2)).isNotEqualTo(ids.get(1));
  }
}
