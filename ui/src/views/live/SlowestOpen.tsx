import { inView, unfinished } from '../../data/inView';
import { openWork } from '../../data/openWork';
import { ageOf, ratioOf } from '../../data/overdue';
import { useLive, useNowS } from '../../data/useLive';
import { count, counted, times } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';

/** How late the latest open work in view is: how near a calm run is to the next finding. */
export function SlowestOpen() {
  const worst = useLive((b) => openWork(b)[0] ?? null);
  const alive = useLive((b) => {
    const view = inView(b);
    return view && unfinished(view.summary);
  });
  const nowS = useNowS();
  // The board is not there yet.
  if (alive === null) return null;
  if (!worst) {
    return alive > 0 ? `${counted(alive, 'session')} wait to start.` : 'Every session in view has ended.';
  }
  const ratio = ratioOf(worst, nowS);
  return (
    <>
      {count(alive)} unfinished; the {ratio === null ? 'oldest' : 'latest'},{' '}
      <b className="mono" title={worst.row.session}>
        {shortId(worst.row.session)}
      </b>
      ,{' '}
      {ratio === null
        ? `is at ${duration(ageOf(worst, nowS))}; no usual yet`
        : `is at ${times(ratio)} its usual p95`}
      .
    </>
  );
}
