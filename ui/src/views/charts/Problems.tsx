import type { MetricProblem } from '../../data/metricTypes';
import { Banner } from '../../kit/Banner';
import { Button } from '../../kit/Button';
import { setParams, useParam } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import css from './ChartsView.module.css';

/** What was sent and could not be kept as it was: said at once, with details when asked for. */
export function Problems({ problems }: { problems: readonly MetricProblem[] }) {
  const open = useParam('problems') === 'show';
  if (problems.length === 0) return null;
  const worst = [...problems].sort((a, b) => b.count - a.count);
  const first = worst[0]!;
  return (
    <>
      <Banner
        tone="late"
        mark="overdue"
        title={`${counted(problems.length, 'problem')} with metrics.`}
        action={
          <Button small onClick={() => setParams({ problems: open ? undefined : 'show' })}>
            {open ? 'Hide details' : 'Details'}
          </Button>
        }
      >
        {first.metric}: {words(first.problem)}
        {problems.length > 1 && `, and ${counted(problems.length - 1, 'other')}`}
      </Banner>
      {open && (
        <table className={css.problems} aria-label="Problems with metrics">
          <thead>
            <tr>
              <th>Metric</th>
              <th>Problem</th>
              <th>Detail</th>
              <th className={css.right}>Times</th>
            </tr>
          </thead>
          <tbody>
            {worst.map((p) => (
              <tr key={`${p.metric}\n${p.problem}\n${p.detail}`}>
                <td className="mono">{p.metric}</td>
                <td>{words(p.problem)}</td>
                <td>{p.detail}</td>
                <td className={css.right}>{count(p.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** kind_conflict is for programs. */
function words(problem: string): string {
  return problem.replaceAll('_', ' ');
}
