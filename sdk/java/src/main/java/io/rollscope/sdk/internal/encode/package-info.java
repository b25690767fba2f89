/** OTLP requests as bytes: what is written ({@code …Writing}), and the two forms of it. */
package io.rollscope.sdk.internal.encode;
