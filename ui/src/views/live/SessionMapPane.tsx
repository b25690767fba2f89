import { useMemo } from 'react';
import { isWait, WAITS } from '../../colour/waits';
import { inView } from '../../data/inView';
import { openWork } from '../../data/openWork';
import { sameValues, useLive, useRun } from '../../data/useLive';
import { Pane } from '../../kit/Pane';
import { StageName } from '../../kit/Swatch';
import { count } from '../../text/count';
import { mapColumns } from './mapLayout';
import { stackOrder } from './occupancy';
import { SessionMap } from './SessionMap';
import css from './SessionMapPane.module.css';

/** Every session in scope as one cell. */
export function SessionMapPane() {
  const members = useLive((b) => b.members);
  const total = useLive((b) => inView(b)?.summary.total ?? 0);
  const columns = useMemo(() => mapColumns(members.values()), [members]);
  const tasks = columns.some((c) => c.rows[0]?.task);
  const what = tasks ? 'one column per task, one cell per session' : 'one cell per session';
  const part = members.size < total ? `${count(members.size)} of ${count(total)}, the latest first; ` : '';
  return (
    <Pane title="Every session" note={`${part}${what}, coloured by where it is`}>
      <div className={css.body}>
        <SessionMap columns={columns} />
        <Legend />
      </div>
    </Pane>
  );
}

function Legend() {
  const run = useRun();
  const stages = useLive((b) =>
    Object.keys(inView(b)?.stages ?? {})
      .sort()
      .join('\n'),
  );
  const has = useLive((b) => {
    const s = inView(b)?.summary;
    return {
      done: (s?.completed ?? 0) + (s?.accepted ?? 0) > 0,
      ended: (s?.rejected ?? 0) + (s?.dropped ?? 0) + (s?.cancelled ?? 0) > 0,
      failed: (s?.failed ?? 0) > 0,
      queued: (s?.queued ?? 0) > 0,
      open: openWork(b).length > 0,
    };
  }, sameValues);
  const names = stages ? stages.split('\n') : [];
  const order = [
    ...stackOrder(
      run,
      names.filter((p) => !isWait(p)),
    ).slice(0, -WAITS.length),
    ...names.filter(isWait),
  ];
  return (
    <ul className={css.legend}>
      {has.done && <Key look="done" text="completed" />}
      {has.ended && <Key look="ended" text="rejected, dropped, cancelled" />}
      {has.failed && <Key look="failed" text="failed" />}
      {order.map((stage) => (
        <li key={stage}>
          <StageName place={stage} />
        </li>
      ))}
      {has.queued && (
        <li>
          <StageName place="queue" />
        </li>
      )}
      {has.open && <Key look="overdue" text="overdue" />}
    </ul>
  );
}

function Key({ look, text }: { look: 'done' | 'ended' | 'failed' | 'overdue'; text: string }) {
  return (
    <li>
      <i className={`${css.mark} ${css[look]}`} /> {text}
    </li>
  );
}
