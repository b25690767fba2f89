/** Reports as tables, JSON and CSV, and everything that depends on the terminal. */
package io.rollscope.cli.render;
