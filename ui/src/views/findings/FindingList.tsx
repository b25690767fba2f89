import { useEffect, useRef } from 'react';
import type { Finding, Findings } from '../../data/findingTypes';
import { Duration, Time } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { StatusMark } from '../../kit/StatusMark';
import { setParams } from '../../route/useRoute';
import css from './FindingList.module.css';
import { headAndRest, isOpen, KINDS, markOf, victimWords } from './findings';
import { Sentence } from './Sentence';
import { StateWord } from './StateWord';

type Props = { report: Findings; findings: readonly Finding[]; selected: Finding; onOpen: () => unknown };

/** One list, open ones first; what was wrong before stays below. */
export function FindingList({ report, findings, selected, onOpen }: Props) {
  const open = findings.filter(isOpen);
  const ranked = report.findings.filter(isOpen);
  const closed = findings.filter((f) => !isOpen(f));
  const most = Math.max(...findings.map((f) => f.cost.wall_s ?? 0));
  const priced = open.filter((f) => (f.cost.wall_s ?? 0) > 0).length;
  const item = (f: Finding, place: number | null) => (
    <Item
      key={f.id}
      {...{ finding: f, place, most, nowS: report.as_of_s, onOpen }}
      selected={f === selected}
    />
  );
  return (
    <Pane
      title="Causes"
      note="what a cause explains is not listed again"
      right={<span className={css.faint}>saves</span>}
      className={css.list}
    >
      {open.length > 0 && (
        <ul aria-label="Open findings">{open.map((f) => item(f, ranked.indexOf(f) + 1))}</ul>
      )}
      {priced > 1 && <p className={css.note}>Savings overlap: they do not add up.</p>}
      {closed.length > 0 && (
        <>
          <h3 className={css.note}>Closed, kept with the run</h3>
          <ul aria-label="Closed findings">{closed.map((f) => item(f, null))}</ul>
        </>
      )}
    </Pane>
  );
}

type ItemProps = {
  finding: Finding;
  /** Its place among the open ones. */
  place: number | null;
  selected: boolean;
  most: number;
  nowS: number;
  onOpen: () => unknown;
};

function Item({ finding, place, selected, most, nowS, onOpen }: ItemProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (selected) button.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const { kind, since_s, until_s, cost, sentence, victims } = finding;
  const open = isOpen(finding);
  const width = most > 0 ? Math.max(3, (100 * (cost.wall_s ?? 0)) / most) : 0;
  return (
    <li>
      <button
        type="button"
        ref={button}
        data-key={finding.id}
        aria-pressed={selected}
        className={`${css.item} ${open ? '' : css.closed}`}
        onClick={() => setParams({ finding: finding.id })}
        // Enter chooses it like a click; on the one that is chosen it opens, as it does without the focus.
        onKeyDown={(e) => {
          if (e.key === 'Enter' && selected && onOpen() !== false) e.preventDefault();
        }}
      >
        <span className={css.place}>{place}</span>
        <StatusMark status={markOf(finding)} />
        <span className={css.text}>
          <span className={css.sentence}>
            <Sentence finding={finding} text={headAndRest(sentence).head} />
          </span>
          <span className={css.about}>
            <StateWord finding={finding} />
            <span className="mono" title={KINDS[kind]}>
              {kind}
            </span>
            <span>
              {open ? 'since ' : ''}
              <Time s={since_s} nowS={nowS} />
              {until_s !== null && (
                <>
                  {' to '}
                  <Time s={until_s} nowS={nowS} />
                </>
              )}
            </span>
            {open && victims.sessions > 0 && <span>{victimWords(finding)}</span>}
          </span>
        </span>
        <span className={css.cost}>
          <b>
            <Duration s={cost.wall_s} />
          </b>
          {cost.wall_s !== null && (
            <i className={place === 1 ? css.hot : ''} style={{ width: `${width}%` }} />
          )}
        </span>
      </button>
    </li>
  );
}
