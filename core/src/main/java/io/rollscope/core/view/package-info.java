/**
 * The questions people ask, answered from a span table: what is open, where did the time go, how
 * did the sessions fare. Each view makes one report; reports are plain records whose components
 * carry the names of the public API.
 */
package io.rollscope.core.view;
