/**
 * The HTTP API of contracts.md 6.1: routes, parameters, answers, the live stream, the page. What is
 * asked of a run is answered by {@link io.rollscope.core.report.RunReports}, all else by {@link
 * io.rollscope.server.api.StoreAdmin}. See docs/api.md.
 */
package io.rollscope.server.api;
