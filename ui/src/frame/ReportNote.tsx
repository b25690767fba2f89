import { useSource } from '../data/source';
import { Banner } from '../kit/Banner';
import { count } from '../text/count';
import { exactTime, moment } from '../text/time';
import css from './AppFrame.module.css';

/** What file this is. */
export function ReportNote() {
  const { report } = useSource();
  if (!report) return null;
  const about = `Of ${report.source} (${report.scope}), as of ${exactTime(report.nowS)}; written ${exactTime(report.writtenS)}`;
  return (
    <span className={css.connection} title={about}>
      Report <span className="faint">as of {moment(report.nowS, Date.now() / 1000)}</span>
    </span>
  );
}

/** Said in every view: not every span is here. */
export function SampledBanner() {
  const sampled = useSource().report?.sampled;
  if (!sampled) return null;
  return (
    <Banner tone="neutral" title="Sampled.">
      The spans of {count(sampled.sessions_kept)} of {count(sampled.sessions_total)} sessions are in this file
      ({count(sampled.spans_kept)} of {count(sampled.spans_total)} spans): of the slowest, failed and open
      ones, and of a fair sample of the others. Statistics are about all, unless you filter.
    </Banner>
  );
}
