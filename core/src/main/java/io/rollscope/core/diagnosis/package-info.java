/**
 * From symptom to cause: what is wrong with a run, what it costs, and who only suffers from it
 * (docs/diagnosis.md). One file per question; every threshold has its reason beside it.
 */
package io.rollscope.core.diagnosis;
