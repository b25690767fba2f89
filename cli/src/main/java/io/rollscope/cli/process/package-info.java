/**
 * The server as a process: its data folder, the file that says where it is, starting it in the
 * foreground or detached, and ending it without ever hitting a stranger.
 */
package io.rollscope.cli.process;
