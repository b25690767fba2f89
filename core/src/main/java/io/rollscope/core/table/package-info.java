/**
 * The columnar span table: what a folder or a store segment holds, as primitive columns.
 *
 * <p>Readers append rows in load order through {@link io.rollscope.core.table.Chunk}s; everything
 * else only reads. Nothing here knows a file format.
 */
package io.rollscope.core.table;
