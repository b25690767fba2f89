/**
 * The same questions about the same data for every source of answers. {@link
 * io.rollscope.contract.RunReportsContract} is extended by the tests of each source; {@link
 * io.rollscope.contract.Worlds} and {@link io.rollscope.contract.RandomWorlds} are the data, {@link
 * io.rollscope.contract.Questions} what is asked. See docs/contracts.md.
 */
package io.rollscope.contract;
