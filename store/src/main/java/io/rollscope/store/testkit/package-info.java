/**
 * Disks that fail on purpose, for the tests of whatever stands on {@link
 * io.rollscope.store.disk.Disk}, here and in other modules. Nothing in the product uses them.
 */
package io.rollscope.store.testkit;
