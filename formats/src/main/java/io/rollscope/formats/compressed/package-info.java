/** Files that are compressed with gzip or zstd, read from the beginning of any frame on. */
package io.rollscope.formats.compressed;
