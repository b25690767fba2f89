/** A training program that is stuck. */
package io.rollscope.stuck;
