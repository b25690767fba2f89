/** Writing converted traces to files that appear whole or not at all. */
package io.rollscope.formats.output;
