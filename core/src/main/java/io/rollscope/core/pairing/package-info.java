/**
 * From rows to spans: one session's starts and ends are paired, and its fate is told.
 *
 * <p>Everything is computed from the rows on demand, so that late and out-of-order rows need no
 * repair: the session is simply paired again.
 */
package io.rollscope.core.pairing;
