import { useSource } from '../../data/source';
import { EmptyState } from '../../kit/EmptyState';

/** Nothing has arrived yet: how to send something. */
export function FirstVisit() {
  const { otlpUrl } = useSource();
  return (
    <EmptyState
      title="No runs yet."
      lines={[
        {
          what: 'OpenTelemetry',
          line: `export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf OTEL_EXPORTER_OTLP_ENDPOINT=${otlpUrl}`,
        },
        { what: 'XTuner', line: 'rollscope watch WORK_DIR/producer_trace' },
        { what: 'AReaL', line: 'rollscope watch logs/$USER/EXPERIMENT/TRIAL' },
        { what: 'No run yet?', line: 'rollscope demo' },
      ]}
      footer="This page updates by itself as soon as the first span arrives."
    >
      Rollscope is listening. Send it data, or point it at a folder you already have:
    </EmptyState>
  );
}
