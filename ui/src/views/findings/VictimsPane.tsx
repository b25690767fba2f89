import type { Finding } from '../../data/findingTypes';
import { useRun } from '../../data/useLive';
import { Pane } from '../../kit/Pane';
import { sessionAddress } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { shortId } from '../../text/id';
import { victimTitle, victimWords } from './findings';
import css from './VictimsPane.module.css';

/** So many cells without a name are drawn beside those with one. */
const MOST_CELLS = 24;

/** Those who suffer from it: counted, linked, and never in a warm colour. */
export function VictimsPane({ finding }: { finding: Finding }) {
  const run = useRun();
  const { sessions, tasks, examples } = finding.victims;
  const nameless = Math.max(0, sessions - examples.length);
  const cells = Math.min(nameless, MOST_CELLS);
  return (
    <Pane title={victimTitle(finding)} note="never listed as stuck">
      {sessions === 0 ? (
        <p className={css.words}>Nobody but the one to blame.</p>
      ) : (
        <>
          <p className={css.words}>
            <b>{victimWords(finding)}</b>
            {tasks > 0 && `, of ${counted(tasks, 'task')}`}
          </p>
          <div className={css.cells}>
            {examples.map((session) => (
              <a key={session} className={css.cell} href={sessionAddress(run, session)} title={session}>
                <b>{shortId(session)}</b>
              </a>
            ))}
            {Array.from({ length: cells }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name
              <i key={i} className={css.cell} />
            ))}
            {nameless > cells && <span className="faint">+ {count(nameless - cells)}</span>}
          </div>
        </>
      )}
    </Pane>
  );
}
