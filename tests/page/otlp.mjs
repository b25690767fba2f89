// OTLP/JSON records as Rollscope's senders write them (contracts.md 3.4 to 3.6, 3.20).
import { randomBytes } from 'node:crypto';

const attribute = ([key, value]) => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
});
const attributes = (values) => Object.entries(values).map(attribute);

export const newTraceId = () => randomBytes(16).toString('hex');
export const newSpanId = () => randomBytes(8).toString('hex');
const nanos = (seconds) => `${BigInt(Math.round(seconds * 1e6)) * 1000n}`;
export const nowS = () => Date.now() / 1000;

/** A request with one start record: the span is open from now on. */
export const spanStart = ({ resource = {}, ...span }) => startedSpans([span], resource);

/** A request with start records: [{name, startS, …attributes}]. */
export function startedSpans(spans, resource = {}) {
  const one = ({ name, startS = nowS(), traceId = newTraceId(), spanId = newSpanId(), parentId, ...values }) => ({
    timeUnixNano: nanos(startS),
    eventName: 'rollscope.span.start',
    traceId,
    spanId,
    attributes: attributes({
      'rollscope.span.name': name,
      ...(parentId && { 'rollscope.span.parent_id': parentId }),
      ...values,
    }),
  });
  return { resourceLogs: [{ resource: { attributes: attributes(resource) }, scopeLogs: [{ logRecords: spans.map(one) }] }] };
}

/** A request with where the work of a span stands: frames are innermost first. */
export function stackOf({ traceId, spanId, atS = nowS(), frames }, resource = {}) {
  const record = {
    timeUnixNano: nanos(atS),
    eventName: 'rollscope.stack',
    traceId,
    spanId,
    attributes: attributes({ 'rollscope.stack.frames': frames.join('\n') }),
  };
  return { resourceLogs: [{ resource: { attributes: attributes(resource) }, scopeLogs: [{ logRecords: [record] }] }] };
}

/** A request with ended spans: [{name, startS, endS, …attributes}]. */
export function endedSpans(spans, resource = {}) {
  const one = ({ name, startS, endS, traceId = newTraceId(), spanId = newSpanId(), parentId, ...values }) => ({
    traceId,
    spanId,
    parentSpanId: parentId,
    name,
    startTimeUnixNano: nanos(startS),
    endTimeUnixNano: nanos(endS),
    attributes: attributes(values),
  });
  return { resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans: [{ spans: spans.map(one) }] }] };
}

/**
 * A request with points: [{name, kind: 'gauge'|'counter'|'histogram', value|counts, bounds, atS, startS, step, …labels}].
 * Counters and histograms are sums since `startS`.
 */
export function metricPoints(points, resource = {}) {
  const metrics = points.map(({ name, kind = 'gauge', unit, value, counts, bounds, atS, startS, step, ...labels }) => {
    const point = {
      timeUnixNano: nanos(atS),
      ...(startS && { startTimeUnixNano: nanos(startS) }),
      attributes: attributes({ ...labels, ...(step !== undefined && { 'rl.train_step': step }) }),
    };
    if (kind === 'gauge') return { name, unit, gauge: { dataPoints: [{ ...point, asDouble: value }] } };
    const sums = { aggregationTemporality: 2 };
    if (kind === 'counter') return { name, unit, sum: { ...sums, isMonotonic: true, dataPoints: [{ ...point, asDouble: value }] } };
    const count = counts.reduce((a, b) => a + b, 0);
    const observed = { count: String(count), sum: count, bucketCounts: counts.map(String), explicitBounds: bounds };
    return { name, unit, histogram: { ...sums, dataPoints: [{ ...point, ...observed }] } };
  });
  return { resourceMetrics: [{ resource: { attributes: attributes(resource) }, scopeMetrics: [{ metrics }] }] };
}
