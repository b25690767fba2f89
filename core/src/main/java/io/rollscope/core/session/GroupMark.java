package io.rollscope.core.session;

/** How groups are known that their source does not record (contracts.md 2.12). */
public final class GroupMark {

  /** The span attribute that carries such a group from a reader to a server or a file. */
  public static final String ATTRIBUTE = "rl.group.inferred";

  private GroupMark() {}

  /** Whether sessions that begin this span at once are samples of one item. */
  public static boolean isGroupSpan(String span) {
    return span.equals("xtuner.producer.generate_group") || span.equals("producer.generate_group");
  }
}
