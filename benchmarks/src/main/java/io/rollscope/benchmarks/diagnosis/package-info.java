/** How often diagnosis is right: runs whose truth is known, and a judge of what it says of them. */
package io.rollscope.benchmarks.diagnosis;
