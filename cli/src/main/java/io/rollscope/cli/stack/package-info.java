/**
 * Prometheus, Tempo and Grafana as processes beside a server: found on this machine, configured,
 * started, probed and ended. Nothing is downloaded.
 */
package io.rollscope.cli.stack;
