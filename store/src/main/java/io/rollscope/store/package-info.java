/**
 * The store's front: {@link io.rollscope.store.Store} takes requests and answers questions. Behind
 * it: {@code journal} makes requests durable, {@code hot} holds what is open or recent, {@code
 * segment} writes and lists Parquet, {@code query} asks both through DuckDB.
 */
package io.rollscope.store;
