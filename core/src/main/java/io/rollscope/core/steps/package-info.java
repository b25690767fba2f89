/**
 * Training steps: putting the processes of a run on one clock by the barriers they pass together,
 * and telling which step consumed which session.
 */
package io.rollscope.core.steps;
