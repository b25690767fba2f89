/** Questions answered by DuckDB over hot rows and segments: reports for the API. */
package io.rollscope.store.query;
