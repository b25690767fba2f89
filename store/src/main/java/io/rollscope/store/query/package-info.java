/**
 * Questions answered by DuckDB over hot rows and segments: reports for the API, and users' SQL in
 * its cage.
 */
package io.rollscope.store.query;
