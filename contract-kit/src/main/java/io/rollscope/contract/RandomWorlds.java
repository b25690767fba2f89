package io.rollscope.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Worlds nobody thought of: the same seed gives the same world. */
public final class RandomWorlds {
  private static final String[] STAGES = {"generate", "tool", "judge", "engine", "reward"};
  private static final String[] VERDICTS = {
    "accepted", "rejected", "failed", "dropped", "completed"
  };
  private static final String[] ERRORS = {"TimeoutError", "ValueError"};

  private final Random random;

  /** Apart, so that the same seed still gives the same times. */
  private final Random earnings;

  private final WorldBuilder world;
  private final List<WorldBuilder.WorldProcess> workers = new ArrayList<>();
  private final boolean batches;
  private final boolean groups;
  private final boolean parentsGetLost;

  private RandomWorlds(long seed) {
    random = new Random(seed);
    earnings = new Random(~seed);
    world = new WorldBuilder("seed-" + seed);
    batches = random.nextInt(4) > 0;
    groups = random.nextInt(4) > 0;
    parentsGetLost = random.nextInt(3) == 0;
  }

  /** The world of a seed. */
  public static World of(long seed) {
    return new RandomWorlds(seed).make();
  }

  private World make() {
    int processes = 1 + random.nextInt(4);
    for (int rank = 0; rank < processes; rank++) {
      workers.add(world.worker(rank));
    }
    int sessions = 1 + random.nextInt(12);
    for (int s = 0; s < sessions; s++) {
      session(s);
    }
    if (random.nextInt(3) == 0) {
      lanes();
    }
    for (WorldBuilder.WorldProcess worker : workers) {
      if (random.nextInt(4) == 0) { // Silence means something to a server: who beats, ends.
        worker.beat(time(0, 60), 1, random.nextInt(5)).end(time(60, 200), 0);
      }
    }
    return world.build();
  }

  /** A moment, now and then one that others have, too. */
  private double time(double from, double length) {
    double at = from + random.nextDouble() * length;
    return random.nextInt(3) == 0 ? Math.rint(at) : Math.rint(at * 1e6) / 1e6;
  }

  private WorldBuilder.WorldProcess worker() {
    return workers.get(random.nextInt(workers.size()));
  }

  private void session(int number) {
    long trace = number + 1L;
    int step = 1 + number / 5;
    double from = time(number * 3.0 + 40 * (step - 1), 6);
    double length = time(1, 40);
    WorldBuilder.WorldProcess worker = worker();
    List<Object> said = new ArrayList<>(List.of("rl.session.id", "s" + number));
    if (batches) {
      said.addAll(List.of("rl.train_step", step));
    }
    if (groups) {
      said.addAll(List.of("rl.task.id", "t" + number / 3, "rl.task.name", "set-" + number % 2));
    }
    List<Object> container = new ArrayList<>(said);
    container.addAll(List.of("rl.kind", "session"));
    if (earnings.nextInt(3) == 0) {
      container.addAll(List.of("rl.reward", earnings.nextInt(9) / 8.0));
    }
    boolean verdict = random.nextInt(3) == 0;
    if (random.nextInt(3) == 0) {
      container.addAll(List.of("rl.status", VERDICTS[random.nextInt(VERDICTS.length)]));
    }
    boolean open = random.nextInt(4) == 0;
    if (open || random.nextBoolean()) {
      worker.start(trace, 1, 0, "session", from, container.toArray());
    }
    int spans = random.nextInt(8);
    for (int s = 0; s < spans; s++) {
      long id = s + 2L;
      long parent = s == 0 || random.nextBoolean() ? 1 : 2 + random.nextInt(s);
      if (parentsGetLost && random.nextInt(6) == 0) {
        parent = 90;
      }
      work(random.nextInt(3) == 0 ? worker() : worker, trace, id, parent, from, length, open, said);
    }
    if (!open) {
      double to = random.nextInt(5) == 0 ? from + length / 2 : from + length + 1;
      worker.span(trace, 1, 0, "session", from, to, container.toArray());
    }
    if (verdict) {
      worker.verdict(
          trace,
          1,
          time(from + length, 50),
          VERDICTS[random.nextInt(VERDICTS.length)],
          random.nextBoolean() ? "because" : null);
      if (earnings.nextBoolean()) {
        double at = from + length + earnings.nextInt(50);
        worker.fact(trace, 1, at, "rl.reward", earnings.nextInt(9) / 8.0);
      }
    }
  }

  private void work(
      WorldBuilder.WorldProcess worker,
      long trace,
      long id,
      long parent,
      double from,
      double length,
      boolean mayBeOpen,
      List<Object> said) {
    String stage = STAGES[random.nextInt(STAGES.length)];
    double begin = time(from, length);
    double end = time(begin, Math.max(0, from + length - begin));
    List<Object> all = new ArrayList<>(random.nextInt(3) == 0 ? said : List.of());
    if (earnings.nextInt(3) == 0) {
      all.addAll(List.of("gen_ai.usage.input_tokens", earnings.nextInt(1_000)));
      all.addAll(List.of("completion_tokens", earnings.nextInt(100)));
    }
    Object[] own = all.toArray();
    if (mayBeOpen && random.nextBoolean()) {
      worker.start(trace, id, parent, stage, begin, own);
    } else if (random.nextInt(6) == 0) {
      worker.failed(trace, id, parent, stage, begin, end, ERRORS[random.nextInt(ERRORS.length)]);
    } else {
      worker.span(trace, id, parent, stage, begin, end, own);
      if (random.nextInt(8) == 0) {
        worker.span(trace, id, parent, stage, begin, time(begin, 5), "rl.turn", 2);
      }
    }
  }

  private void lanes() {
    for (int s = 0; s < 4; s++) {
      double from = time(0, 60);
      if (random.nextBoolean()) {
        worker()
            .span(500 + s, 1, 0, "rollout", from, from + 5, "rl.kind", "state", "rl.lane", "l0");
      } else {
        worker()
            .span(500 + s, 1, 0, "train", from, from + 9, "rl.kind", "op", "rl.train_step", 1)
            .span(500 + s, 2, 1, "forward", from + 1, from + 4, "rl.kind", "op");
      }
    }
  }
}
