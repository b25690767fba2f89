/**
 * Getting growing trace folders into the store. {@link io.rollscope.server.tail.FolderTail} looks
 * again and again and hands over what is new, together with how far it has read, so that a restart
 * goes on where the store's knowledge ends; {@link io.rollscope.server.tail.FolderImport} sends a
 * whole folder to a server.
 *
 * <p>Both translate in the same way. Sources that write events are paired as for analysis, and each
 * span is told when it opens and when it closes, under an id derived from what identifies it: told
 * twice, it is still one span. OTLP-JSON lines are requests already and are passed on with all they
 * contain.
 */
package io.rollscope.server.tail;
