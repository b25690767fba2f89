/**
 * Opening a folder, a file or a glob: finding the trace files, recognising their format, reading
 * them in parallel and going on where the last look ended.
 */
package io.rollscope.formats.folder;
