/**
 * The demo: a simulated run, told to a server through the OpenTelemetry SDK by several simulated
 * processes, as real training code would.
 */
package io.rollscope.cli.demo;
