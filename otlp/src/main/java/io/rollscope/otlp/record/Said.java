package io.rollscope.otlp.record;

/**
 * What a span, or its resource, says about where it belongs (contracts.md 2.1). Null means it says
 * nothing; what the trace as a whole knows is found out later. Many spans share one instance.
 *
 * @param run id of the run
 * @param session id of the session
 * @param lane the track it is drawn on, for states
 * @param alone whether it never stands for a session of its own by its trace id
 * @param batch id of the batch, given or made of the steps
 * @param status verdict ({@code rl.status}), as it was written
 * @param sourceStatus the source's own word for the state of the session
 * @param reason why the session ended so
 */
public record Said(
    String run,
    String session,
    String lane,
    boolean alone,
    String batch,
    Long trainStep,
    Long modelStep,
    Long futureStep,
    String task,
    String taskName,
    String stage,
    Long attempt,
    String workerRole,
    Long workerRank,
    String status,
    String sourceStatus,
    String reason) {}
