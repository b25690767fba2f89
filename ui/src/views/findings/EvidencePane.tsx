import type { Evidence, Finding } from '../../data/findingTypes';
import { useRun } from '../../data/useLive';
import { Pane } from '../../kit/Pane';
import { formatAddress } from '../../route/address';
import { shortId } from '../../text/id';
import { exactValue } from '../../text/value';
import { capital } from '../../text/words';
import css from './EvidencePane.module.css';
import { evidenceValue, isOpen, isOutOfLine, linkOf } from './findings';
import { UsualBar } from './UsualBar';

type Props = { finding: Finding; stages: ReadonlySet<string> };

/** The numbers that show it, each against what is usual; only the one that proves it is orange. */
export function EvidencePane({ finding, stages }: Props) {
  const { evidence } = finding;
  const proof = isOpen(finding) ? evidence.find(isOutOfLine) : undefined;
  return (
    <Pane title="What shows it" className={css.pane}>
      {evidence.length === 0 ? (
        <p className={css.none}>No number stands beside this finding.</p>
      ) : (
        <ul className={css.tiles}>
          {evidence.map((e) => (
            <Tile key={`${e.what} ${e.link}`} {...{ evidence: e, finding, stages }} proof={e === proof} />
          ))}
        </ul>
      )}
    </Pane>
  );
}

function Tile({ evidence: e, finding, stages, proof }: Props & { evidence: Evidence; proof: boolean }) {
  const run = useRun();
  const to = e.link === null ? null : linkOf(run, finding, e.link, stages);
  return (
    <li className={css.tile}>
      <div className={css.what}>{capital(e.what)}</div>
      <div className={`${css.value} ${proof ? css.proof : ''}`} title={exactValue(e.value, e.unit ?? '')}>
        {evidenceValue(e.value, e.unit)}
      </div>
      <div className={css.usual}>
        {e.usual === null ? (
          'no usual'
        ) : (
          <>
            <UsualBar value={e.value} usual={e.usual} late={proof} />
            <span>usual {evidenceValue(e.usual, e.unit)}</span>
          </>
        )}
      </div>
      {to && (
        <a className={css.link} href={formatAddress(to)} title={e.link ?? undefined}>
          {shortId(e.link ?? '')}
        </a>
      )}
    </li>
  );
}
