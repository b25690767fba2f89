package io.rollscope.core.session;

/** The spans of one trace, by number, as far as it matters for where they belong. */
public interface TraceSpans {
  /** Parent of a root. */
  int NO_PARENT = -1;

  /** Parent of which only its id is known. */
  int NOT_SEEN = -2;

  int count();

  long spanId(int i);

  long parentId(int i);

  /** Number of the parent, {@link #NO_PARENT} or {@link #NOT_SEEN}. */
  int parent(int i);

  long start(int i);

  /** The run it names, or null. */
  String run(int i);

  /** The run of a trace whose root it is and that names none. */
  String service(int i);

  /** The session it names, or null. */
  String session(int i);

  /** The lane it names, or null. */
  String lane(int i);

  /** Whether it names its batch, or a step of training. */
  boolean namesBatch(int i);

  /** What it is called in views. */
  String stage(int i);

  /** Whether it is never a session by its trace id. */
  boolean isAlone(int i);

  /** Whether it is an op or a state: what lies in it, in any process, is work of a process. */
  boolean isWorkOfProcess(int i);
}
