import { useEffect, useMemo, useRef, useState } from 'react';
import { useRun } from '../../data/useLive';
import { LaneCanvas } from '../../lanes/LaneCanvas';
import type { LaneController } from '../../lanes/LaneController';
import type { Scene } from '../../lanes/scene';
import type { SpanTable } from '../../lanes/spans';
import { push } from '../../route/useRoute';
import { formatSpan } from '../../route/values';
import { counted } from '../../text/count';
import { spanFacts } from '../timeline/describe';
import { SpanTooltip } from '../timeline/SpanTooltip';
import { timelineState } from '../timeline/timelineState';
import { useScene } from '../timeline/useScene';
import { useTimeline } from '../timeline/useTimeline';
import css from './ChartsView.module.css';
import { type ChartWindow, united } from './window';

const STATE = timelineState({ sort: 'name' });
const SHOWN = { lanes: 'lane', depth: 'all' } as const;
const WHOLE_RUN = { scope: 'all' };
const MOST_PX = 132;
/** Of the width: what is closer is the same window. */
const SAME = 1e-6;

/** The state lanes of the run, on the axis of the charts above them; nothing where there are none. */
export function LaneStrip({ window }: { window: ChartWindow }) {
  const data = useTimeline('lane', window.settled, WHOLE_RUN);
  const found = useScene(data.base, data.table, STATE, SHOWN);
  const { view, whole } = window;
  const scene = useMemo<Scene | null>(() => {
    if (!found || found.table.count === 0) return null;
    const { originS } = found.table;
    const all = united([whole, view])!;
    return { ...found, whole: { from: all.from - originS, to: all.to - originS } };
  }, [found, whole, view]);
  return scene && <Lanes scene={scene} window={window} />;
}

function Lanes({ scene, window }: { scene: Scene; window: ChartWindow }) {
  const run = useRun();
  const [controller, setController] = useState<LaneController | null>(null);
  const [pointed, setPointed] = useState<{ table: SpanTable; span: number; x: number; y: number } | null>(
    null,
  );
  // A picture drawn before it was told the window is nobody's wish to move it.
  const led = useRef(false);
  const { view } = window;
  const { originS } = scene.table;
  const hover = pointed?.table === scene.table ? pointed : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the scene, which may fit anew
  useEffect(() => {
    if (!controller) return;
    controller.setView({ from: view.from - originS, to: view.to - originS });
    led.current = true;
  }, [controller, scene, view.from, view.to, originS]);
  return (
    <div className={css.lanes}>
      <h3>{counted(scene.table.lanes.length, 'state lane')}</h3>
      <div style={{ height: Math.min(MOST_PX, scene.arrangement.totalHeight) }}>
        <LaneCanvas
          bare
          scene={scene}
          label={`${counted(scene.table.lanes.length, 'state lane')} on the axis of the charts`}
          ref={setController}
          events={{
            onView: (next) => {
              const moved = { from: next.from + originS, to: next.to + originS };
              const near = (a: number, b: number) => Math.abs(a - b) <= (view.to - view.from) * SAME;
              if (!led.current || (near(moved.from, view.from) && near(moved.to, view.to))) return;
              window.setView(moved);
            },
            onHover: (at) => setPointed(at && { table: scene.table, ...at }),
            onSelect: (span) => {
              const id = scene.table.ids[span];
              if (id === undefined) return;
              const params = { lanes: 'lane', scope: 'all', span: id, t: formatSpan(view) };
              push({ view: 'timeline', run, session: null, params });
            },
            onArea: (area) => {
              controller?.setArea(null);
              if (area) window.setView({ from: area.from + originS, to: area.to + originS });
            },
          }}
        />
      </div>
      {hover && <SpanTooltip facts={spanFacts(scene, hover.span)} x={hover.x} y={hover.y} />}
    </div>
  );
}
