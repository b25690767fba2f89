import { useCallback, useState } from 'react';
import { useSource } from '../data/source';
import { useAnswer } from '../data/useAnswer';
import { Caret, Menu } from '../kit/Menu';
import { push, routeTo, useRoute } from '../route/useRoute';
import css from './AppFrame.module.css';

/** The run, and a menu to go to the same view of another one. */
export function RunPicker({ run }: { run: string }) {
  const { view } = useRoute();
  const { kind } = useSource();
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const about = useAnswer(`run ${run}`, (source, signal) => source.run(run, signal), {
    everyMs: 30_000,
  }).data;
  const runs =
    useAnswer('runs', (source, signal) => source.runs({}, signal), { enabled: open }).data?.runs ?? [];
  const project = about?.run === run ? about.project : null;
  const prefix = project && run.startsWith(`${project}/`) ? `${project}/` : '';
  return (
    <div className={css.picker}>
      <button
        type="button"
        onClick={() => setOpen(!open)}
        disabled={kind === 'report'}
        aria-haspopup="menu"
        title={run}
      >
        <span className="cut">
          {prefix && <span className="dim">{prefix.replace('/', ' / ')}</span>}
          {run.slice(prefix.length)}
        </span>
        {about?.run === run && about.system && <span className={css.tag}>{about.system}</span>}
        {kind === 'server' && <Caret />}
      </button>
      {open && (
        <Menu
          options={runs.map((r) => ({ value: r.run, note: r.state }))}
          selected={run}
          onClose={close}
          none="reading …"
          onChoose={(next) => {
            close();
            push(routeTo(view === 'session' ? 'sessions' : view, next));
          }}
        />
      )}
    </div>
  );
}
