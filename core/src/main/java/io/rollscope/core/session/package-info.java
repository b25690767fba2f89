/** What a session is and where it stands: the rules that memory, segments and folders share. */
package io.rollscope.core.session;
