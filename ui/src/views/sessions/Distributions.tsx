import { useMemo, useRef, useState } from 'react';
import { usePalette } from '../../colour/usePalette';
import { Chip } from '../../kit/Chip';
import { EmptyState } from '../../kit/EmptyState';
import { Segmented } from '../../kit/Segmented';
import { useSize } from '../../kit/useCanvas';
import { setParams, useParam } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { duration } from '../../text/duration';
import css from './Distributions.module.css';
import { MEASURES, measuresOf, measureValues } from './measures';
import { StepBoxes } from './StepBoxes';
import { histogram, numbersOf, percentile, sortedValues } from './statistics';
import type { Page } from './usePage';

/** How a measure spreads: over all selected sessions that have ended, and step by step. */
export function Distributions({ page }: { page: Page }) {
  const { set, spans, ended } = page;
  const measure = useParam('measure') ?? 'work';
  const axis = useParam('haxis') === 'linear' ? 'linear' : 'log';
  const values = useMemo(() => measureValues(set, spans, measure), [set, spans, measure]);
  const sorted = useMemo(() => sortedValues(ended, values), [ended, values]);
  return (
    <div className={css.distributions}>
      <div className={css.controls}>
        <Chip
          label="Time in"
          value={measure === 'work' ? undefined : measure}
          any="work"
          options={measuresOf(spans).map((value) => ({ value }))}
          onChange={(v) => setParams({ measure: v === 'work' ? undefined : v })}
        />
        <Segmented
          label="Axis"
          value={axis}
          options={[
            ['log', 'Log'],
            ['linear', 'Linear'],
          ]}
          onChange={(v) => setParams({ haxis: v === 'log' ? undefined : v })}
        />
        <span className="faint">{counted(sorted.length, 'ended session')}</span>
      </div>
      <div className={css.charts}>
        {sorted.length === 0 ? (
          <EmptyState title="Nothing has ended here." />
        ) : (
          <HistogramChart sorted={sorted} axis={axis} measure={measure} />
        )}
        <StepBoxes page={page} values={values} measure={measure} />
      </div>
    </div>
  );
}

const PAD = { left: 44, right: 16, top: 18, bottom: 24 };

type HistogramProps = { sorted: Float64Array; axis: 'linear' | 'log'; measure: string };

function HistogramChart({ sorted, axis, measure }: HistogramProps) {
  const host = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(host);
  const [hover, setHover] = useState<number | null>(null);
  const { edges, counts } = useMemo(() => histogram(sorted, axis), [sorted, axis]);
  const top = counts.reduce((a, b) => Math.max(a, b), 1);
  const [low, high] = [edges[0]!, edges[edges.length - 1]!];
  const right = width - PAD.right;
  const x = (s: number) => {
    const share =
      axis === 'log'
        ? Math.log(Math.max(s, low) / low) / Math.log(high / low)
        : (s - low) / (high - low || 1);
    return PAD.left + Math.min(1, Math.max(0, share)) * (right - PAD.left);
  };
  const base = height - PAD.bottom;
  const y = (n: number) => base - (n / top) * (base - PAD.top);
  const marks = [
    ['p50', percentile(sorted, 0.5)],
    ['p95', percentile(sorted, 0.95)],
    ['p99', percentile(sorted, 0.99)],
  ] as const;
  const numbers = numbersOf(sorted)!;
  const palette = usePalette();
  const own = (MEASURES as readonly string[]).includes(measure);
  const fill = own ? 'var(--ink-3)' : palette.stage(measure);
  const said =
    hover === null
      ? `mean ${duration(numbers.mean)}, ${marks.map(([n, s]) => `${n} ${duration(s)}`).join(', ')}, max ${duration(numbers.max)}`
      : `${duration(edges[hover]!)} to ${duration(edges[hover + 1]!)}: ${counted(counts[hover]!, 'session')}`;
  return (
    <section className={css.chart} aria-label={`Distribution of ${measure}`}>
      <header>
        <b>{measure}</b> <span className="dim">{said}</span>
      </header>
      <div className={css.plot} ref={host}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={said}
            onPointerLeave={() => setHover(null)}
          >
            <path d={`M${PAD.left} ${base + 0.5}H${right}`} stroke="var(--line-2)" />
            <text x={PAD.left - 8} y={y(top) + 4} className={css.tick} textAnchor="end">
              {count(top)}
            </text>
            {Array.from(counts, (n, i) => (
              <g key={edges[i]} onPointerEnter={() => setHover(i)}>
                <rect
                  x={x(edges[i]!)}
                  y={PAD.top}
                  width={Math.max(0, x(edges[i + 1]!) - x(edges[i]!))}
                  height={base - PAD.top}
                  fill="transparent"
                />
                <rect
                  x={x(edges[i]!) + 0.5}
                  y={n === 0 ? base : Math.min(base - 1.5, y(n))}
                  width={Math.max(1, x(edges[i + 1]!) - x(edges[i]!) - 1)}
                  height={n === 0 ? 0 : Math.max(1.5, base - y(n))}
                  fill={hover === i ? 'var(--ink)' : fill}
                />
              </g>
            ))}
            {marks.map(([name, s]) => (
              <g key={name}>
                <path d={`M${x(s)} ${PAD.top - 6}V${base}`} stroke="var(--ink)" strokeDasharray="2 2" />
                <text x={x(s) + 3} y={PAD.top - 8} className={css.mark}>
                  {name}
                </text>
              </g>
            ))}
            {axisTicks(low, high, axis, (right - PAD.left) / 90).map((s, i, all) => (
              <text
                key={s}
                x={x(s)}
                y={height - 8}
                className={css.tick}
                textAnchor={i === 0 ? 'start' : i === all.length - 1 ? 'end' : 'middle'}
              >
                {duration(s)}
              </text>
            ))}
          </svg>
        )}
      </div>
    </section>
  );
}

function axisTicks(low: number, high: number, axis: 'linear' | 'log', most: number): number[] {
  const n = Math.max(2, Math.floor(most));
  return Array.from({ length: n + 1 }, (_, i) =>
    axis === 'log' ? low * (high / low) ** (i / n) : low + ((high - low) * i) / n,
  );
}
