package io.rollscope.otlp;

import static io.rollscope.otlp.Otlp.attribute;
import static io.rollscope.otlp.Otlp.resource;
import static io.rollscope.otlp.Otlp.span;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import io.rollscope.core.model.Kind;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a span belongs, by what it and its resource say (contracts.md 2.1, 2.5, 2.9, 2.13). */
class IdentityTest {

  @ParameterizedTest
  @CsvSource({
    // attributes of the span; of the resource; run
    "rl.run.id=a run.id=b, , a",
    "run.id=b project=p experiment_name=e, , b",
    "project=p experiment_name=e, , p/e",
    "project=p, experiment_name=e, p/e",
    "project=p, , ",
    ", rl.run.id=a, a",
    "run.id=b, rl.run.id=a, b",
    "rl.run.id=, rl.run.id=a, a",
    ", service.name=s, ",
  })
  void run(String own, String resource, String run) throws BadRequestException {
    assertThat(said(own, resource).run()).isEqualTo(run);
  }

  @ParameterizedTest
  @CsvSource({
    "rl.session.id=a xtuner.rollout_id=b, , a",
    "xtuner.rollout_id=b sample=1 session=2 traj=3, , b",
    "sample=1 session=2 traj=3, , 1/2/3",
    "sample=1 session=2, , ",
    ", rl.session.id=a, a",
    ", , ",
  })
  void session(String own, String resource, String session) throws BadRequestException {
    assertThat(said(own, resource).session()).isEqualTo(session);
  }

  @ParameterizedTest
  @CsvSource({
    "rl.task.id=a xtuner.group_id=b sample=c, a",
    "xtuner.group_id=b sample=c, b",
    "sample=c, c",
    "xtuner.task_name=t, ",
  })
  void task(String own, String task) throws BadRequestException {
    assertThat(said(own, null).task()).isEqualTo(task);
  }

  @ParameterizedTest
  @CsvSource({
    "rl.task.name=a xtuner.task_name=b, a",
    "xtuner.task_name=b, b",
  })
  void taskName(String own, String name) throws BadRequestException {
    assertThat(said(own, null).taskName()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "rl.batch.id=b7 rl.train_step=3, b7, 3",
    "rl.train_step=3, train_step=3, 3",
    "rl.train_step=3 rl.model_step=2, train_step=3/model_step=2, 3",
    "rl.train_step=3 rl.future_step=5, train_step=3/future_step=5, 3",
    "rl.train_step=3 rl.model_step=2 rl.future_step=5, train_step=3/model_step=2/future_step=5, 3",
    "rl.model_step=2, , ",
    "xtuner.producer_future_step=9, train_step=9, 9",
    "global_steps=4, train_step=4, 4",
    "train.step=4, train_step=4, 4",
    "rl.train_step=three, , ",
    "rl.train_step=99999999999999999999, , ",
  })
  void batch(String own, String batch, Long step) throws BadRequestException {
    assertThat(said(own, null).batch()).isEqualTo(batch);
    assertThat(said(own, null).trainStep()).isEqualTo(step);
  }

  @ParameterizedTest
  @CsvSource({
    ", PHASE, false",
    "rl.kind=phase, PHASE, false",
    "rl.kind=session, SESSION, false",
    "rl.kind=task, TASK, true",
    "rl.kind=batch, BATCH, true",
    "rl.kind=op, OP, true",
    "rl.kind=state, STATE, true",
    "rl.kind=unheard-of, PHASE, false",
    "rl.lane=gpu0, PHASE, true",
    "state_lane_id=gpu0, PHASE, true",
    "monitor.trace_segment=1, PHASE, true",
    "monitor.trace_segment=state_interval, STATE, true",
    "monitor.trace_segment=duration, OP, true",
    "monitor.trace_segment=duration rl.kind=state, STATE, true",
  })
  void whatNeverIsASessionByItsTrace(String own, Kind kind, boolean alone)
      throws BadRequestException {
    assertThat(decode(own, null).kind()).isEqualTo(kind);
    assertThat(said(own, null).alone()).isEqualTo(alone);
  }

  @ParameterizedTest
  @CsvSource({
    "rl.stage=a rl.state=b, a",
    "rl.state=b state_name=c, b",
    "xtuner.stage=a, a",
    "stage.name=a, a",
    "state_name=rollout, rollout",
    ", ",
  })
  void stage(String own, String stage) throws BadRequestException {
    assertThat(said(own, null).stage()).isEqualTo(stage);
  }

  @Test
  void theRest() throws BadRequestException {
    Said said =
        said(
            "rl.lane=replica-3 rl.attempt=2 rl.worker.role=actor rl.worker.rank=5"
                + " rl.status=accepted xtuner.status=completed rl.reason=ok",
            "rl.worker.role=other rl.worker.rank=9");

    assertThat(said.lane()).isEqualTo("replica-3");
    assertThat(said.attempt()).isEqualTo(2);
    assertThat(said.workerRole()).isEqualTo("actor");
    assertThat(said.workerRank()).isEqualTo(5);
    assertThat(said.status()).isEqualTo("accepted");
    assertThat(said.sourceStatus()).isEqualTo("completed");
    assertThat(said.reason()).isEqualTo("ok");
  }

  @Test
  void numbersMayComeAsNumbers() throws BadRequestException {
    Span.Builder span = span();
    span.addAttributes(attribute("sample", 1))
        .addAttributes(attribute("session", 2))
        .addAttributes(attribute("traj", 0))
        .addAttributes(attribute("global_steps", 40));

    Said said = Otlp.decodeOne(resource(), span).said();

    assertThat(said.session()).isEqualTo("1/2/0");
    assertThat(said.task()).isEqualTo("1");
    assertThat(said.trainStep()).isEqualTo(40);
  }

  @Test
  void spansThatSayTheSameShareIt() throws BadRequestException {
    Span one = span().addAttributes(attribute("rl.session.id", "s")).build();
    Span two = one.toBuilder().setSpanId(Otlp.id("00000000000000ff")).build();

    var spans = Otlp.decode(resource(), one, two).spans();

    assertThat(spans.get(0).said()).isSameAs(spans.get(1).said());
    assertThat(spans.get(0).name()).isSameAs(spans.get(1).name());
  }

  private static Said said(String own, String resource) throws BadRequestException {
    return decode(own, resource).said();
  }

  private static SpanRecord decode(String own, String resource) throws BadRequestException {
    Span.Builder span = span();
    for (String pair : Objects.requireNonNullElse(own, "").split(" ")) {
      if (pair.contains("=")) {
        span.addAttributes(keyValue(pair));
      }
    }
    Resource.Builder of = Resource.newBuilder();
    for (String pair : Objects.requireNonNullElse(resource, "").split(" ")) {
      if (pair.contains("=")) {
        of.addAttributes(keyValue(pair));
      }
    }
    return Otlp.decodeOne(of.build(), span);
  }

  private static io.opentelemetry.proto.common.v1.KeyValue keyValue(String pair) {
    int at = pair.indexOf('=');
    return attribute(pair.substring(0, at), pair.substring(at + 1));
  }
}
