/**
 * Faults put into a simulated run, one class each, and runs that only look as if something were
 * wrong. What a fault costs is measured: the same run is simulated again without it.
 */
package io.rollscope.simulator.faults;
