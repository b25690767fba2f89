/**
 * The {@code rollscope} command: one class per sub-command. How results are printed is in {@code
 * render}, the interactive screen in {@code terminal}.
 */
package io.rollscope.cli;
