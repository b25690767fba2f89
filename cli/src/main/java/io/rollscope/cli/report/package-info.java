/**
 * The page as one file: gathers all that its views show, of a folder or of a server, and writes it
 * into the page, compressed. What the page does with it is in {@code ui/src/data/report}.
 */
package io.rollscope.cli.report;
