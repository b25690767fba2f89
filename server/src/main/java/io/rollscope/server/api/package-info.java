/**
 * The HTTP API of contracts.md 6.1: routes, parameters, answers, the live stream, the page. What is
 * asked is answered by {@link io.rollscope.server.api.Questions}. See docs/api.md.
 */
package io.rollscope.server.api;
