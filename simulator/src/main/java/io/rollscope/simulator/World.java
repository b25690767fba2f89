package io.rollscope.simulator;

/**
 * What the parts of a simulation share: the clock, the record, the dice and the settings.
 *
 * @param producer the process of producer, agent loop and judge
 */
record World(
    Settings settings,
    Agenda agenda,
    Recorder recorder,
    Chance chance,
    SimulatedProcess producer) {}
