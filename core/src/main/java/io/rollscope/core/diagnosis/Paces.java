package io.rollscope.core.diagnosis;

import io.rollscope.core.model.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long calls took for what they did: leaf calls that ended well, each by its time per output
 * token where its stage counts tokens, else by its time; without the time in a queue. Only calls of
 * one stratum are compared: of one task name, with prompts of about one length.
 */
final class Paces {
  /** Below this the prompt and the overhead take most of the time, not the tokens written. */
  private static final int FEW_TOKENS = 32;

  /** Nearly all calls of a stage must count tokens: two units are not compared. */
  private static final double COUNTING = 0.9;

  /** The comparable calls of one stage. */
  static final class Stage {
    final int number;
    final String name;
    final boolean perToken;
    final int[] calls;

    /** By position: seconds, or seconds per token. */
    final double[] pace;

    /** By position: the same with the time in a queue. */
    final double[] paceWithQueue;

    /** By position: the number of the step, of the stratum and of the worker (or -1). */
    final int[] step;

    final int[] stratum;
    final int[] worker;
    int strata;

    Stage(int number, String name, boolean perToken, int size) {
      this.number = number;
      this.name = name;
      this.perToken = perToken;
      this.calls = new int[size];
      this.pace = new double[size];
      this.paceWithQueue = new double[size];
      this.step = new int[size];
      this.stratum = new int[size];
      this.worker = new int[size];
    }

    int size() {
      return calls.length;
    }

    String unit() {
      return perToken ? "s/token" : "s";
    }
  }

  private record Stratum(String taskName, int prompt, boolean few) {}

  private final List<Stage> stages = new ArrayList<>();

  Paces(RunWork work) {
    int[] size = new int[work.stageCount()];
    int[] counting = new int[work.stageCount()];
    for (int i = 0; i < work.callCount(); i++) {
      if (isComparable(work, i)) {
        size[work.stageNumber(i)]++;
        counting[work.stageNumber(i)] += work.outputTokens(i) > 0 ? 1 : 0;
      }
    }
    Stage[] all = new Stage[size.length];
    for (int k = 0; k < all.length; k++) {
      boolean perToken = counting[k] > 0 && counting[k] >= COUNTING * size[k];
      all[k] = new Stage(k, work.stageName(k), perToken, perToken ? counting[k] : size[k]);
      if (all[k].size() > 0) {
        stages.add(all[k]);
      }
    }
    fill(work, all);
  }

  private static boolean isComparable(RunWork work, int call) {
    return !work.hasCallInside(call)
        && !work.session(call).lane()
        && work.outcome(call) == Outcome.OK
        && work.duration(call) > 0;
  }

  private static void fill(RunWork work, Stage[] all) {
    RunSteps steps = work.steps();
    int[] filled = new int[all.length];
    List<Map<Stratum, Integer>> strata = new ArrayList<>();
    for (int k = 0; k < all.length; k++) {
      strata.add(new HashMap<>());
    }
    for (int i = 0; i < work.callCount(); i++) {
      int k = work.stageNumber(i);
      Stage stage = all[k];
      long wrote = work.outputTokens(i);
      if (!isComparable(work, i) || (stage.perToken && wrote <= 0)) {
        continue;
      }
      int at = filled[k]++;
      Map<Stratum, Integer> known = strata.get(k);
      stage.calls[at] = i;
      long amount = stage.perToken ? wrote : 1;
      stage.paceWithQueue[at] = work.duration(i) / 1e9 / amount;
      stage.pace[at] = (work.duration(i) - Math.max(0, work.queuedNs(i))) / 1e9 / amount;
      stage.step[at] = steps.ofCall(i);
      stage.worker[at] = work.workerNumber(i);
      stage.stratum[at] =
          known.computeIfAbsent(
              new Stratum(
                  work.session(i).taskName(),
                  promptClass(work.inputTokens(i)),
                  stage.perToken && wrote < FEW_TOKENS),
              s -> known.size());
      stage.strata = known.size();
    }
  }

  /** Prompts within a factor of two are of about one length. */
  private static int promptClass(long tokens) {
    return tokens <= 0 ? 0 : 64 - Long.numberOfLeadingZeros(tokens);
  }

  List<Stage> stages() {
    return stages;
  }
}
