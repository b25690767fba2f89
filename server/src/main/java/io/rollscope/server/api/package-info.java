/**
 * The HTTP API of CONTRACTS §6: routes, parameters, answers, the live stream, the page. What is
 * asked is answered by {@link io.rollscope.server.api.Questions}. See docs/api.md.
 */
package io.rollscope.server.api;
