/** Measurements that need to look inside the process; whole commands are timed by scripts. */
package io.rollscope.benchmarks;
