package io.rollscope.sdk;

/**
 * What this process deleted in a folder to keep it below its limit, whoever wrote it.
 *
 * @param pieces how many files
 * @param spans how many spans were in them
 */
public record Deleted(long pieces, long spans) {
  public static final Deleted NOTHING = new Deleted(0, 0);

  public Deleted plus(Deleted more) {
    return new Deleted(pieces + more.pieces, spans + more.spans);
  }
}
