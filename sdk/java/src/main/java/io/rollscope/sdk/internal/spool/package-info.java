/** The files that a folder of requests consists of, and the limit of what they may take. */
package io.rollscope.sdk.internal.spool;
