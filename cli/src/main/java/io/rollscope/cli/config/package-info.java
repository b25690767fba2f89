/**
 * Options that may come from several places: the command line, the environment, a configuration
 * file, or the default.
 */
package io.rollscope.cli.config;
