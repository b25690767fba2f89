/** The certificate of the server: read, checked, and read again when its files change. */
package io.rollscope.server.tls;
