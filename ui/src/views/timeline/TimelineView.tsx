import { useEffect, useMemo, useRef, useState } from 'react';
import { useSource } from '../../data/source';
import { useNowS, useRun } from '../../data/useLive';
import { useKeys } from '../../kit/keys';
import { NothingInView } from '../../kit/NothingInView';
import { Failure } from '../../kit/Pane';
import { LaneCanvas } from '../../lanes/LaneCanvas';
import type { LaneController, LaneEvents } from '../../lanes/LaneController';
import { stepMatch } from '../../lanes/rowModel';
import type { Area, Scene } from '../../lanes/scene';
import type { SpanTable } from '../../lanes/spans';
import type { Route } from '../../route/address';
import { push, routeTo, setParams } from '../../route/useRoute';
import { formatNames, formatSpan } from '../../route/values';
import { counted } from '../../text/count';
import { AreaPane } from './AreaPane';
import { readOut, spanFacts } from './describe';
import { SearchField } from './SearchField';
import { SpanDetails } from './SpanDetails';
import { SpanTooltip } from './SpanTooltip';
import css from './Timeline.module.css';
import { TimelineControls } from './TimelineControls';
import { TimelineNote } from './TimelineNote';
import { LANES, type Lanes, useTimelineState } from './timelineState';
import { useLaneView } from './useLaneView';
import { useScene } from './useScene';
import { useTimeline } from './useTimeline';
import { useTimelineKeys } from './useTimelineKeys';

const LANE_WORDS: Record<Lanes, string> = {
  group: 'session',
  session: 'session',
  task: 'task',
  worker: 'worker',
  lane: 'state lane',
};

/** Who was where when; what was different in this stretch. */
export function TimelineView() {
  const state = useTimelineState();
  const [visible, setVisible] = useState<{ from: number; to: number } | null>(null);
  const wanted = state.lanes;
  const data = useTimeline(wanted === null || wanted === 'group' ? 'session' : wanted, visible);
  const hasTasks = useMemo(() => data.base?.info.some((i) => i?.task != null) ?? false, [data.base]);
  const lanes = wanted ?? (hasTasks ? 'group' : 'session');
  const depth = state.depth ?? (lanes === 'group' || lanes === 'session' ? 'leaf' : 'all');
  const scene = useScene(data.base, data.table, state, { lanes, depth });
  const search = useRef<HTMLInputElement>(null);
  const [controller, setController] = useState<LaneController | null>(null);
  const controllerRef = useRef<LaneController | null>(null);
  controllerRef.current = controller;
  const matches = useMemo(() => scene?.matched?.reduce((n, m) => n + m, 0) ?? 0, [scene?.matched]);

  const run = useRun();
  const { monitoring } = useSource();
  const charts = monitoring ? chartsOf(run, state) : null;
  useKeys(charts ? [{ key: 'c', does: 'Metrics of this window', run: () => push(charts) }] : []);

  const jump = (by: 1 | -1) => {
    if (!scene?.matched || !controller) return;
    const span = stepMatch(scene.table, scene.arrangement, scene.matched, controller.looking.selected, by);
    if (span < 0) return;
    setParams({ span: scene.table.ids[span] });
    controller.setSelected(span);
    controller.reveal(span);
  };

  return (
    <>
      <TimelineControls lanes={lanes} sort={state.sort} axis={state.axis} depth={depth} charts={charts}>
        <SearchField field={search} find={state.find} matches={matches} onJump={jump} />
      </TimelineControls>
      {data.answer.error && <Failure answer={data.answer} />}
      <TimelineNote data={data} scene={scene} />
      {scene && scene.table.count === 0 && <Nothing lanes={lanes} />}
      {scene && scene.table.count > 0 && (
        <LanePane
          {...{ scene, state, lanes, controller, search }}
          setController={setController}
          onVisible={setVisible}
          controllerRef={controllerRef}
        />
      )}
    </>
  );
}

type LanePaneProps = {
  scene: Scene;
  state: ReturnType<typeof useTimelineState>;
  lanes: Lanes;
  controller: LaneController | null;
  setController: (controller: LaneController | null) => void;
  controllerRef: React.RefObject<LaneController | null>;
  search: React.RefObject<HTMLInputElement | null>;
  onVisible: (visible: { from: number; to: number } | null) => void;
};

function LanePane(props: LanePaneProps) {
  const { scene, state, lanes, controller, setController, controllerRef, search, onVisible } = props;
  const run = useRun();
  const nowS = useNowS();
  const view = useLaneView(controller, scene, state);
  const [pointed, setHover] = useState<{ table: SpanTable; span: number; x: number; y: number } | null>(null);
  // Other data have other spans in these places.
  const hover = pointed?.table === scene.table ? pointed : null;
  const selected = useMemo(
    () => (state.span === null ? -1 : scene.table.ids.indexOf(state.span)),
    [scene.table, state.span],
  );
  useEffect(() => controller?.setSelected(selected), [controller, selected]);
  useEffect(() => controller?.setNow(nowS - scene.table.originS), [controller, nowS, scene]);
  const { visible } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when it has another value
  useEffect(() => onVisible(visible), [visible?.from, visible?.to]);

  const select = (span: number) => {
    controller?.setSelected(span);
    setParams({ span: span < 0 ? undefined : scene.table.ids[span] });
  };
  const pin = (span: number) => {
    const name = scene.table.lanes[scene.table.lane[span]!]!;
    const pins = new Set(state.pins);
    if (!pins.delete(name)) pins.add(name);
    setParams({ pin: formatNames(pins) });
  };
  const clearArea = () => view.onArea(null);
  const zoomToArea = () => {
    if (view.area) controller?.setView(view.area);
    else if (controller && controller.looking.selected >= 0)
      controller.zoomToSpan(controller.looking.selected);
  };
  useTimelineKeys({
    controller: controllerRef,
    search,
    select,
    pin,
    open(span) {
      const session = scene.table.sessions[scene.table.session[span]!];
      if (session !== undefined) push(routeTo('session', run, session));
    },
    zoomToArea,
    clear() {
      if (state.find) setParams({ find: undefined });
      else if (state.sel) clearArea();
      else if (state.span) select(-1);
      else return false;
      return true;
    },
    nextGrouping: () => setParams({ lanes: LANES[(LANES.indexOf(lanes) + 1) % LANES.length] }, 'push'),
  });

  const events: LaneEvents = {
    onView: view.onView,
    onHover: (at) => setHover(at && { table: scene.table, ...at }),
    onSelect: select,
    onArea: view.onArea,
  };
  const inSight = view.still ?? scene.whole;
  const area = useMemo<Area>(() => view.area ?? { ...inSight, lanes: null }, [view.area, inSight]);
  const facts = selected >= 0 ? spanFacts(scene, selected) : null;
  const hovered = hover ? spanFacts(scene, hover.span) : null;
  const label = facts
    ? readOut(facts)
    : `Lanes of ${counted(scene.table.lanes.length, LANE_WORDS[lanes])}. Arrow keys choose a span.`;
  return (
    <div className={css.body}>
      <div className={css.lanes}>
        <LaneCanvas scene={scene} events={events} label={label} ref={setController} />
        <div className={css.whole}>
          <b>Everything in scope</b>
          <div>{counted(scene.table.count, 'span')}</div>
          <span>{counted(scene.table.lanes.length, LANE_WORDS[lanes])}</span>
        </div>
        <output className="hidden">{facts && readOut(facts)}</output>
      </div>
      <aside className={css.drawer} aria-label="Details">
        {facts && (
          <SpanDetails
            run={run}
            facts={facts}
            spanId={scene.table.ids[selected] ?? ''}
            nowS={nowS}
            pinned={state.pins.has(facts.lane)}
            onPin={() => pin(selected)}
            onZoom={() => controller?.zoomToSpan(selected)}
            onClose={() => select(-1)}
          />
        )}
        <AreaPane
          scene={scene}
          area={area}
          chosen={view.area !== null}
          laneWord={LANE_WORDS[lanes]}
          onZoom={zoomToArea}
          onClear={clearArea}
        />
      </aside>
      {hover && hovered && <SpanTooltip facts={hovered} x={hover.x} y={hover.y} />}
    </div>
  );
}

/** Charts of the selection, else of what is in sight. */
function chartsOf(run: string, { axis, sel, t }: ReturnType<typeof useTimelineState>): Route {
  const window = axis === 'clock' ? (sel ?? t) : null;
  return { view: 'charts', run, session: null, params: window ? { t: formatSpan(window) } : {} };
}

function Nothing({ lanes }: { lanes: Lanes }) {
  const why: Record<Lanes, string> = {
    group: 'No session in scope has spans.',
    session: 'No session in scope has spans.',
    task: 'These sessions name no task.',
    worker: 'These spans name no worker.',
    lane: 'This run reports no state lanes.',
  };
  return (
    <NothingInView title={why[lanes]}>
      {lanes !== 'group' && lanes !== 'session' && 'Choose other lanes above, such as sessions.'}
    </NothingInView>
  );
}
