/** Stacks of what is stuck, recorded when the server asks (contracts.md 3.20). */
package io.rollscope.sdk.internal.stack;
