/**
 * Scrapes targets: fetches what they expose, within limits, and hands it to the store as OTLP
 * requests, as if they had sent it. See docs/metrics.md.
 */
package io.rollscope.server.scrape;
