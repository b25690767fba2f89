/** The interactive screen of {@code live} and {@code demo}: a {@code top} for rollouts. */
package io.rollscope.cli.terminal;
