/** The page, started with the training as a child process. */
package io.rollscope.sdk.internal.viewer;
