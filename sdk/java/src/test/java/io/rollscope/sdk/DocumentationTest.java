package io.rollscope.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whoever looks for a name finds it on the page. */
class DocumentationTest {
  private static final List<Class<?>> TYPES =
      List.of(
          Rollscope.class,
          RollscopeBuilder.class,
          Batch.class,
          Task.class,
          Session.class,
          Phase.class,
          State.class,
          Counter.class,
          Gauge.class,
          Histogram.class,
          Dropped.class,
          Stats.class,
          Sent.class,
          Transport.class);

  @Test
  void everyPublicNameIsOnThePage() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "sdk-java.md"));
    TreeSet<String> missing = new TreeSet<>();
    for (Class<?> type : TYPES) {
      for (Method method : type.getMethods()) {
        boolean own = method.getDeclaringClass().getName().startsWith("io.rollscope");
        if (own && Modifier.isPublic(method.getModifiers()) && !isOfEveryRecord(type, method)) {
          String name = method.getName();
          if (!page.matches("(?s).*\\b" + name + "\\b.*")) {
            missing.add(type.getSimpleName() + "." + name);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean isOfEveryRecord(Class<?> type, Method method) {
    List<String> names = List.of("equals", "hashCode", "toString");
    return type.isRecord() && names.contains(method.getName());
  }

  @Test
  void whatStatsSayIsExplained() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "sdk-java.md"));
    for (RecordComponent component : Stats.class.getRecordComponents()) {
      assertThat(page).contains("`" + component.getName() + "`");
    }
  }
}
