package io.rollscope.store.hot;

import io.rollscope.core.model.Kind;
import io.rollscope.core.model.Outcome;
import io.rollscope.core.session.GroupMark;
import io.rollscope.core.session.ReportedSpan;
import io.rollscope.core.session.RewardAndTokens;
import io.rollscope.core.session.SpanMerge;
import io.rollscope.core.session.UndatedVerdict;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.SpanStack;
import io.rollscope.otlp.record.Attributes;
import io.rollscope.otlp.record.Said;
import io.rollscope.otlp.record.SpanRecord;
import java.util.List;
import java.util.Map;

/** A span in memory: the version of it that counts, and where it belongs by what is known now. */
public final class HotSpan implements ReportedSpan {
  private static final int OBJECT_BYTES = 400;

  final HotTrace trace;

  /** The version that counts, with what other versions said in addition. */
  SpanRecord told;

  /** All different versions, the one that counts first; null while there is only one. */
  List<SpanRecord> versions;

  /** When it was first heard of, by our clock. */
  final long receivedNs;

  /** The journal file that holds it. */
  long journalFile;

  /** Null until resolved. */
  HotSession session;

  /** What other work of a process around it says, which names its batch; else null. */
  Said around;

  /** Where it is in the list of its session. */
  int slot;

  /** Its number in its trace, while that is resolved. */
  int index;

  /** When it ended if its process is dead, as of the last look; else {@link Nanos#OPEN}. */
  private long lostNs = Nanos.OPEN;

  /** Whether its session may still turn out to be another one. */
  boolean undecided;

  /** Whether the run's statistics know of its end. */
  boolean counted;

  /** Whether a segment with it is being written. */
  boolean sealing;

  boolean sealed;

  /** Time as blocking leaf, as of the last accounting. */
  long selfNs;

  /** What it counted; null until somebody asks. */
  Map<String, Long> counters;

  /** The group its reader saw it drawn in, or null; asked for before attributes are forgotten. */
  String inferredGroup;

  /** Whether its reader does not know when its session was decided; asked for in time, too. */
  boolean undatedVerdict;

  /** Whether its process was asked where its work stands. */
  boolean askedForStack;

  /** The process in which it is open, and its place among what is open there; null and -1 else. */
  Processes.Life process;

  int openSlot = -1;

  /** About how many bytes of memory it holds. */
  int bytes;

  HotSpan(HotTrace trace, SpanRecord told, long receivedNs, long journalFile) {
    this.trace = trace;
    this.told = told;
    this.bytes = bytes(told);
    this.receivedNs = receivedNs;
    this.journalFile = journalFile;
  }

  /** About how many bytes a version takes: its attributes, and what is around them. */
  static int bytes(SpanRecord version) {
    return OBJECT_BYTES + version.attributes().to() - version.attributes().from();
  }

  public SpanRecord told() {
    return told;
  }

  /**
   * Whether its source says what lies inside what. Of tailed files only OTLP-JSON lines do: parents
   * of the others are guessed from time, and that one has none means nothing.
   */
  @Override
  public boolean recordsParents() {
    return told.origin().source().equals("otlp");
  }

  public boolean isOpen() {
    return told.isOpen();
  }

  public long selfNs() {
    return selfNs;
  }

  public long receivedNs() {
    return receivedNs;
  }

  /** The session or lane it belongs to. */
  public HotSession session() {
    return session;
  }

  /** Run it belongs to, by what is known now. */
  public String run() {
    return session.key.run();
  }

  public String stage() {
    String stage = told.said().stage();
    return stage == null ? told.name() : stage;
  }

  /** As it is shown at this moment: an open span of a dead process is lost. */
  public Outcome outcome(Processes processes, long nowNs) {
    return isOpen() && processes.isLost(told.origin().instance(), nowNs)
        ? Outcome.LOST
        : told.outcome();
  }

  /**
   * Looks whether its process is dead, if it is open. A lost span ends where the process's own
   * records end, not before its start.
   *
   * @return whether it is lost
   */
  boolean isLost(Processes processes, long nowNs) {
    if (isOpen()) {
      long until = processes.lostNs(told.origin().instance(), nowNs);
      lostNs = until == Nanos.OPEN ? until : Math.max(told.startNs(), until);
      return lostNs != Nanos.OPEN;
    }
    return told.outcome() == Outcome.LOST;
  }

  // ---- what it says of its session -------------------------------------------------------------

  @Override
  public long spanId() {
    return told.spanId();
  }

  @Override
  public long parentId() {
    return told.parentId();
  }

  @Override
  public Kind kind() {
    return told.kind();
  }

  @Override
  public long startNs() {
    return told.startNs();
  }

  /** End, also that of a lost one as of the last look, or {@link Nanos#OPEN}. */
  @Override
  public long endNs() {
    return isOpen() ? lostNs : told.endNs();
  }

  @Override
  public boolean isUnended() {
    return isOpen() || told.outcome() == Outcome.LOST;
  }

  @Override
  public Outcome outcome() {
    return isOpen() && lostNs != Nanos.OPEN ? Outcome.LOST : told.outcome();
  }

  @Override
  public String batch() {
    return told.said().batch();
  }

  @Override
  public Long trainStep() {
    return told.said().trainStep();
  }

  @Override
  public Long modelStep() {
    return told.said().modelStep();
  }

  @Override
  public Long futureStep() {
    return told.said().futureStep();
  }

  @Override
  public String task() {
    return told.said().task();
  }

  @Override
  public String taskName() {
    return told.said().taskName();
  }

  @Override
  public String workerRole() {
    return told.said().workerRole();
  }

  @Override
  public Long workerRank() {
    return told.said().workerRank();
  }

  @Override
  public String status() {
    return told.said().status();
  }

  @Override
  public String sourceStatus() {
    return told.said().sourceStatus();
  }

  @Override
  public String reason() {
    return told.said().reason();
  }

  @Override
  public RewardAndTokens rewardAndTokens() {
    return told.rewardAndTokens();
  }

  @Override
  public String error() {
    return told.error();
  }

  /** What its versions carry, the one that counts first. */
  public List<Attributes> attributes() {
    return versions == null
        ? List.of(told.attributes())
        : versions.stream().map(SpanRecord::attributes).toList();
  }

  /** Whether it is known where its work stood (contracts.md 3.20). */
  boolean hasStack() {
    return attributes().stream().anyMatch(a -> a.get(SpanStack.FRAMES) != null);
  }

  /** What it counted, if it is a session's span. */
  Map<String, Long> counters() {
    if (counters == null) {
      boolean none = told.kind() != Kind.SESSION;
      counters = none ? Map.of() : SpanCounters.of(attributes());
    }
    return counters;
  }

  /** The group it was seen to be begun in, or null (contracts.md 2.12). */
  String inferredGroup() {
    if (inferredGroup == null && GroupMark.isGroupSpan(told.name())) {
      inferredGroup = told.attributes().get(GroupMark.ATTRIBUTE);
    }
    return inferredGroup;
  }

  @Override
  public boolean hasUndatedVerdict() {
    if (!undatedVerdict && told.kind() == Kind.SESSION && told.origin().file()) {
      undatedVerdict = told.attributes().get(UndatedVerdict.ATTRIBUTE) != null;
    }
    return undatedVerdict;
  }

  /** Forgets what only a segment needs, if it stays because its session goes on. */
  void strip() {
    if (session != null) {
      counters();
      inferredGroup();
      hasUndatedVerdict();
      versions = null;
      told = told.with(told.said(), Attributes.NONE);
    }
  }

  /** Lets go of the request it came with. */
  void detach() {
    if (versions == null) {
      told = detached(told);
    } else {
      versions = versions.stream().map(HotSpan::detached).toList();
    }
  }

  private static SpanRecord detached(SpanRecord version) {
    return version.with(version.said(), version.attributes().detached());
  }

  /** Takes in another version. Returns false if it is known already. */
  boolean merge(SpanRecord version) {
    List<SpanRecord> before = versions == null ? List.of(told) : versions;
    List<SpanRecord> all = SpanMerge.add(before, version);
    if (all == before) {
      return false;
    }
    versions = all;
    told = SpanMerge.united(all);
    counters = null;
    return true;
  }
}
