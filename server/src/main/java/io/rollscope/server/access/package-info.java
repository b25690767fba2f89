/**
 * Who may do what: tokens, logins, trusted networks, and the checks that keep other people's web
 * pages out. See docs/access.md.
 */
package io.rollscope.server.access;
