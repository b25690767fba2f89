package io.rollscope.simulator.faults;

import java.util.List;

/**
 * What should be found.
 *
 * @param kind a word of the closed list of kinds of findings
 * @param type of the subject
 * @param id of the subject
 * @param also other names of the subject
 * @param stage where it is, or empty
 */
public record Expected(String kind, String type, String id, List<String> also, String stage) {

  Expected(String kind, String type, String id, String stage) {
    this(kind, type, id, List.of(), stage);
  }
}
