/**
 * A simulated post-training run, synchronous or asynchronous, as processes of their own tell it:
 * agents, engines and trainers on hosts whose clocks differ. It is written as a spool folder of the
 * SDKs. All that is random is drawn by what it is for, so two runs of one seed differ only by what
 * disturbs them.
 */
package io.rollscope.simulator.cluster;
