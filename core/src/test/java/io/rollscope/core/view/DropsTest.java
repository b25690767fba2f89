package io.rollscope.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.model.Worker;
import io.rollscope.core.table.ProcessSign;
import io.rollscope.core.view.LiveReport.DroppedBy;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A collector that was away for a while: many workers had to drop something. */
class DropsTest {
  private static ProcessSign process(long rank, long spans, long metrics) {
    return new ProcessSign(
        "i-" + rank, new Worker("rollout", rank), "gpu", rank, 1, false, spans, 0, metrics, 0, 0);
  }

  @Test
  void thoseThatDroppedMostComeFirstAndAtMostTwentyAreNamed() {
    Drops drops = new Drops();
    for (int rank = 0; rank < 100; rank++) {
      drops.add(process(rank, rank, rank == 3 ? 1000 : 0));
    }

    assertThat(drops.worst()).hasSize(20);
    assertThat(drops.worst().get(0))
        .isEqualTo(new DroppedBy("[rollout] rank 3", "gpu", 3L, 3, 0, 1000, 0, 0));
    assertThat(drops.worst().get(1).pid()).isEqualTo(99);
    assertThat(drops.totals())
        .isEqualTo(
            Map.of(
                "spans", 4950L, "starts", 0L, "metrics", 1000L, "attributes", 0L, "deleted", 0L));
  }

  @Test
  void whoDroppedNothingIsNotNamed() {
    Drops drops = new Drops();
    drops.add(process(1, 0, 0));

    assertThat(drops.worst()).isEmpty();
  }
}
