package io.rollscope.store.sql;

/** A column of an answer; the type in DuckDB's words. */
record SqlColumn(String name, String type) {}
