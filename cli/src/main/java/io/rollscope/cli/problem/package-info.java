/** What a command says when it cannot do what was asked, and with which exit code it ends. */
package io.rollscope.cli.problem;
