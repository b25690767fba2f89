/** Talks to a running server: its address, its API, and the API's JSON as the records of views. */
package io.rollscope.cli.remote;
