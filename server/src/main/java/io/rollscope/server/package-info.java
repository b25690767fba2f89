/** The collector as one process: receivers, API and access around a store. */
package io.rollscope.server;
