/**
 * Users' SQL: checked, and run by DuckDB in a process of its own, which is ended when it takes too
 * much. Nothing here knows what the views it selects from are made of.
 */
package io.rollscope.store.sql;
