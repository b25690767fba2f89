/**
 * What can be asked of a run, wherever its data is: {@link io.rollscope.core.report.RunReports}. A
 * folder, the store of a server and a server elsewhere answer it alike; the command line and the
 * HTTP API know nothing else.
 */
package io.rollscope.core.report;
