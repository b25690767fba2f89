import { useMemo, useRef, useState } from 'react';
import { useSize } from '../../kit/useCanvas';
import { setParams } from '../../route/useRoute';
import { counted } from '../../text/count';
import { duration } from '../../text/duration';
import css from './Distributions.module.css';
import { chosen, STEP } from './selection';
import { type Numbers, numbersOf, sortedValues } from './statistics';
import type { Page } from './usePage';

const MOST = 200;
const PAD = { left: 56, right: 16, top: 12, bottom: 24 };

type Box = { step: number; numbers: Numbers };

type Props = { page: Page; values: Float64Array; measure: string };

/** How a measure spreads step by step. */
export function StepBoxes(props: Props) {
  if (props.page.steps.keys.length > 0) return <StepChart {...props} />;
  return (
    <section className={css.chart}>
      <header>
        <b>By step</b>
      </header>
      <p className={css.empty}>
        These sessions name no step. Give the number of sessions that one training step takes, in “Batch size”
        above, to find steps as AReaL does.
      </p>
    </section>
  );
}

/** A box per step: p25 to p75 with p50, whiskers to least and p95, a dot at the greatest. A click chooses the step. */
function StepChart({ page, values, measure }: Props) {
  const { steps } = page;
  const host = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(host);
  const [hover, setHover] = useState<number | null>(null);
  const boxes = useMemo(() => boxesOf(page, values), [page, values]);
  const shown = boxes.slice(-MOST);
  const [low, high] = rangeOf(shown);
  const base = height - PAD.bottom;
  const y = (s: number) =>
    base - (Math.log(Math.max(s, low) / low) / Math.log(high / low)) * (base - PAD.top);
  const pitch = (width - PAD.left - PAD.right) / Math.max(1, shown.length);
  const half = Math.max(1, Math.min(14, pitch * 0.35));
  const under = shown[hover ?? -1];
  return (
    <section className={css.chart} aria-label={`${measure} by step`}>
      <header>
        <b>By step</b>{' '}
        <span className="dim">
          {under
            ? `${steps.labels[under.step]}: ${counted(under.numbers.count, 'session')}, p50 ${duration(under.numbers.p50)}, p95 ${duration(under.numbers.p95)}, max ${duration(under.numbers.max)}`
            : boxes.length > MOST
              ? `the newest ${MOST} of ${boxes.length}; box p25 to p75, whisker to p95, dot max`
              : 'box p25 to p75, line p50, whisker to p95, dot max; click chooses'}
        </span>
      </header>
      <div className={css.plot} ref={host}>
        {width > 0 && shown.length > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={`${measure} by step`}
            onPointerLeave={() => setHover(null)}
          >
            {[low, Math.sqrt(low * high), high].map((s) => (
              <g key={s}>
                <path
                  d={`M${PAD.left} ${Math.round(y(s)) + 0.5}H${width - PAD.right}`}
                  stroke="var(--line)"
                />
                <text x={PAD.left - 8} y={y(s) + 4} className={css.tick} textAnchor="end">
                  {duration(s)}
                </text>
              </g>
            ))}
            {shown.map(({ step, numbers: n }, i) => {
              const x = PAD.left + pitch * (i + 0.5);
              const on = page.selection.step === steps.keys[step];
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the step chip above does the same by keyboard
                <g
                  key={steps.keys[step]}
                  className={css.box}
                  onPointerEnter={() => setHover(i)}
                  onClick={() => setParams({ [steps.param]: on ? undefined : steps.keys[step] }, 'push')}
                >
                  <rect
                    x={x - pitch / 2}
                    y={0}
                    width={pitch}
                    height={height}
                    fill={on ? 'var(--row-hover)' : 'transparent'}
                  />
                  <path d={`M${x} ${y(n.min)}V${y(n.p95)}`} stroke="var(--ink-3)" />
                  <rect
                    x={x - half}
                    y={y(n.p75)}
                    width={half * 2}
                    height={Math.max(1.5, y(n.p25) - y(n.p75))}
                    fill="var(--raised)"
                    stroke={hover === i || on ? 'var(--ink)' : 'var(--ink-3)'}
                  />
                  <path d={`M${x - half} ${y(n.p50)}h${half * 2}`} stroke="var(--ink)" strokeWidth="2" />
                  <circle cx={x} cy={y(n.max)} r="2" fill="var(--ink-3)" />
                  {labelled(i, pitch) && (
                    <text x={x} y={height - 8} className={css.tick} textAnchor="middle">
                      {steps.labels[step]!.slice(0, 14)}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
    </section>
  );
}

function boxesOf({ set, steps, miss }: Page, values: Float64Array): Box[] {
  const lists = steps.keys.map((): number[] => []);
  for (const row of chosen(miss, STEP)) if (!set.unfinished[row]) lists[steps.of[row]!]?.push(row);
  return lists.flatMap((rows, step) => {
    const numbers = numbersOf(sortedValues(Uint32Array.from(rows), values));
    return numbers ? [{ step, numbers }] : [];
  });
}

function rangeOf(boxes: readonly Box[]): [number, number] {
  const high = boxes.reduce((m, b) => Math.max(m, b.numbers.max), 1e-3);
  const low = boxes.reduce((m, b) => Math.min(m, b.numbers.min > 0 ? b.numbers.min : m), high);
  return [Math.max(low, high / 1e5), Math.max(high, low * 2)];
}

function labelled(i: number, pitch: number): boolean {
  return i % Math.max(1, Math.ceil(52 / pitch)) === 0;
}
