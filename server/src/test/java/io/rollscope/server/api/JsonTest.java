package io.rollscope.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.core.stats.Durations;
import io.rollscope.core.view.ErrorGroups;
import io.rollscope.core.view.HotspotsReport;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.SessionReport;
import io.rollscope.core.view.SessionsReport;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The API prints what the command line's {@code --format json} prints. */
class JsonTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        LiveReport.class,
        LiveReport.OpenSpanSummary.class,
        LiveReport.Row.class,
        LiveReport.TaskSummary.class,
        HotspotsReport.class,
        HotspotsReport.StageStats.class,
        HotspotsReport.Waits.class,
        SessionsReport.class,
        SessionsReport.Batch.class,
        SessionsReport.Step.class,
        SessionReport.class,
        SessionReport.SpanLine.class,
        SessionReport.StageTime.class,
        Durations.Summary.class,
        ErrorGroups.ErrorGroup.class
      })
  void everyComponentIsThereInOrderUnderItsNameInSnakeCaseEvenWhenNull(Class<? extends Record> type)
      throws Exception {
    RecordComponent[] components = type.getRecordComponents();
    Constructor<? extends Record> made =
        type.getDeclaredConstructor(
            Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    Object[] nothing =
        Arrays.stream(components)
            .map(c -> Array.get(Array.newInstance(c.getType(), 1), 0))
            .toArray();

    Map<?, ?> printed =
        new ObjectMapper().readValue(Json.bytes(made.newInstance(nothing)), LinkedHashMap.class);

    assertThat(List.copyOf(printed.keySet()).toString())
        .isEqualTo(
            Arrays.stream(components)
                .map(
                    c ->
                        c.getName().replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT))
                .toList()
                .toString());
  }

  @Test
  void numbersHaveNoExponentAndWhatIsNoNumberIsNull() {
    assertThat(Json.text(Map.of("a", 1781000880.125))).isEqualTo("{\"a\":1781000880.125}");
    assertThat(Json.text(Map.of("a", 1e-9))).isEqualTo("{\"a\":0.0000000010}");
    assertThat(Json.text(Map.of("a", Double.NaN))).isEqualTo("{\"a\":null}");
    assertThat(Json.text(new double[] {1781000880.125, Double.NaN}))
        .isEqualTo("[1781000880.125,null]");
  }
}
