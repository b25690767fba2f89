package io.rollscope.core.view;

import io.rollscope.core.session.RewardAndTokens;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sessions by column, in order of start: the n-th entry of each column is about the n-th session.
 * Words stand once in a list and are named by their place in it, -1 for none.
 *
 * @param total how many sessions are in scope
 * @param leftOut how many of them are not here
 * @param status places in {@code statuses}; {@code batch}, {@code task}, {@code taskName}, {@code
 *     worker}, {@code reason}, {@code sourceStatus} and {@code inferredGroup} likewise
 * @param traceId null where it is the session's id
 * @param workS from the start until its own work was done
 * @param ownS from the start until it did nothing more but wait for others
 * @param outside whose spans make up {@code outsideS}
 * @param trainStep the steps, null where there is none; rewards and tokens likewise
 */
public record SessionColumns(
    String source,
    String run,
    String scope,
    long total,
    long leftOut,
    List<String> statuses,
    List<String> batches,
    List<String> tasks,
    List<String> taskNames,
    List<String> workers,
    List<String> reasons,
    List<String> sourceStatuses,
    List<String> inferredGroups,
    String[] session,
    String[] traceId,
    int[] status,
    int[] batch,
    int[] task,
    int[] taskName,
    int[] worker,
    int[] reason,
    int[] sourceStatus,
    int[] inferredGroup,
    double[] startS,
    double[] wallS,
    double[] endS,
    double[] workS,
    double[] ownS,
    boolean[] finalised,
    double[] queueS,
    double[] gapS,
    double[] siblingsS,
    double[] barrierS,
    double[] unaccountedS,
    double[] outsideS,
    Outside outside,
    long[] spanCount,
    long[] openCount,
    long[] errorCount,
    Long[] trainStep,
    Double[] reward,
    Long[] inputTokens,
    Long[] outputTokens) {

  /** The most sessions one report can hold. */
  public static final int MAX_BUDGET = 200_000;

  public static final int DEFAULT_BUDGET = 100_000;

  /**
   * The time of spans outside their sessions, by session and worker; mostly there is none.
   *
   * @param workers their names
   * @param session per entry: place of the session
   * @param worker per entry: place in {@code workers}
   * @param ns per entry: how long
   */
  public record Outside(List<String> workers, int[] session, int[] worker, long[] ns) {}

  /**
   * One session, as it goes into the columns.
   *
   * @param outside what of {@code outsideNs} is of spans of which worker
   */
  public record Row(
      String session,
      String traceId,
      String status,
      String batch,
      String task,
      String taskName,
      String worker,
      String reason,
      String sourceStatus,
      String inferredGroup,
      long startNs,
      long wallNs,
      long endNs,
      long workNs,
      long ownNs,
      boolean finalised,
      long queueNs,
      long gapNs,
      long siblingsNs,
      long barrierNs,
      long unaccountedNs,
      long outsideNs,
      Map<String, Long> outside,
      long spanCount,
      long openCount,
      long errorCount,
      Long trainStep,
      RewardAndTokens rewardAndTokens) {}

  /** Refuses a budget out of bounds. */
  public static void checkBudget(int budget) {
    if (budget < 1 || budget > MAX_BUDGET) {
      throw new IllegalArgumentException(
          "budget: " + budget + " (expected: 1 to " + MAX_BUDGET + ")");
    }
  }

  private static final class Words {
    private final Map<String, Integer> places = new LinkedHashMap<>();

    int place(String word) {
      if (word == null) {
        return -1;
      }
      Integer known = places.putIfAbsent(word, places.size());
      return known == null ? places.size() - 1 : known;
    }

    List<String> list() {
      return new ArrayList<>(places.keySet());
    }
  }

  /** Fills the columns, row by row. */
  public static final class Builder {
    private final Words[] words = new Words[8];
    private final int[][] places = new int[8][];
    private final double[][] seconds = new double[11][];
    private final long[][] counts = new long[3][];
    private final String[] session;
    private final String[] traceId;
    private final boolean[] finalised;
    private final Long[] trainStep;
    private final Double[] reward;
    private final Long[] inputTokens;
    private final Long[] outputTokens;
    private final Words outsideWorkers = new Words();
    private final List<int[]> outsidePlaces = new ArrayList<>();
    private final List<Long> outsideNs = new ArrayList<>();
    private int count;

    /**
     * @param size how many rows there will be, exactly
     */
    public Builder(int size) {
      for (int i = 0; i < words.length; i++) {
        words[i] = new Words();
        places[i] = new int[size];
      }
      for (int i = 0; i < seconds.length; i++) {
        seconds[i] = new double[size];
      }
      for (int i = 0; i < counts.length; i++) {
        counts[i] = new long[size];
      }
      session = new String[size];
      traceId = new String[size];
      finalised = new boolean[size];
      trainStep = new Long[size];
      reward = new Double[size];
      inputTokens = new Long[size];
      outputTokens = new Long[size];
    }

    public void add(Row row) {
      int n = count++;
      session[n] = row.session();
      traceId[n] = row.session().equals(row.traceId()) ? null : row.traceId();
      finalised[n] = row.finalised();
      trainStep[n] = row.trainStep();
      reward[n] = row.rewardAndTokens().reward();
      inputTokens[n] = row.rewardAndTokens().inputTokens();
      outputTokens[n] = row.rewardAndTokens().outputTokens();
      String[] said = {
        row.status(),
        row.batch(),
        row.task(),
        row.taskName(),
        row.worker(),
        row.reason(),
        row.sourceStatus(),
        row.inferredGroup()
      };
      for (int i = 0; i < said.length; i++) {
        places[i][n] = words[i].place(said[i]);
      }
      long[] times = {
        row.startNs(),
        row.wallNs(),
        row.endNs(),
        row.workNs(),
        row.ownNs(),
        row.queueNs(),
        row.gapNs(),
        row.siblingsNs(),
        row.barrierNs(),
        row.unaccountedNs(),
        row.outsideNs()
      };
      for (int i = 0; i < times.length; i++) {
        seconds[i][n] = times[i] / 1e9;
      }
      counts[0][n] = row.spanCount();
      counts[1][n] = row.openCount();
      counts[2][n] = row.errorCount();
      row.outside()
          .forEach(
              (worker, ns) -> {
                outsidePlaces.add(new int[] {n, outsideWorkers.place(worker)});
                outsideNs.add(ns);
              });
    }

    private Outside outside() {
      return new Outside(
          outsideWorkers.list(),
          outsidePlaces.stream().mapToInt(place -> place[0]).toArray(),
          outsidePlaces.stream().mapToInt(place -> place[1]).toArray(),
          outsideNs.stream().mapToLong(ns -> ns).toArray());
    }

    /**
     * @param total how many sessions are in scope
     */
    public SessionColumns build(String source, String run, String scope, long total) {
      return new SessionColumns(
          source,
          run,
          scope,
          total,
          total - count,
          words[0].list(),
          words[1].list(),
          words[2].list(),
          words[3].list(),
          words[4].list(),
          words[5].list(),
          words[6].list(),
          words[7].list(),
          session,
          traceId,
          places[0],
          places[1],
          places[2],
          places[3],
          places[4],
          places[5],
          places[6],
          places[7],
          seconds[0],
          seconds[1],
          seconds[2],
          seconds[3],
          seconds[4],
          finalised,
          seconds[5],
          seconds[6],
          seconds[7],
          seconds[8],
          seconds[9],
          seconds[10],
          outside(),
          counts[0],
          counts[1],
          counts[2],
          trainStep,
          reward,
          inputTokens,
          outputTokens);
    }
  }
}
