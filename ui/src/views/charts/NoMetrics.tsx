import { useSource } from '../../data/source';
import { useRun } from '../../data/useLive';
import { EmptyState } from '../../kit/EmptyState';
import { formatAddress, TARGETS } from '../../route/address';

/** Nothing measured yet: three ways to change that. */
export function NoMetrics() {
  const run = useRun();
  const { otlpUrl } = useSource();
  return (
    <EmptyState
      title="This run has no metrics yet."
      lines={[
        { what: 'Python SDK', line: 'rs.gauge("reward").set(0.73, step=7)' },
        {
          what: 'OpenTelemetry',
          line: `export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${otlpUrl}/v1/metrics`,
        },
        {
          what: 'vLLM, SGLang',
          line: `rollscope targets add HOST:8000 --job vllm --run ${quoted(run)}`,
        },
      ]}
      footer={
        <>
          Charts appear by themselves. What the server reads is listed under{' '}
          <a href={formatAddress(TARGETS)}>targets</a>.
        </>
      }
    >
      Send some, or let Rollscope read the metrics page of an engine:
    </EmptyState>
  );
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
