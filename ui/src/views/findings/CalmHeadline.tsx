import type { ReactNode } from 'react';
import type { Findings } from '../../data/findingTypes';
import { Headline } from '../../kit/Headline';
import { SlowestOpen } from '../live/SlowestOpen';
import { headAndRest } from './findings';

/** No finding is open: what the report says of that, and how late the latest open work is. */
export function CalmHeadline({ report, children }: { report: Findings; children?: ReactNode }) {
  const { head, rest } = headAndRest(report.sentence);
  return (
    <Headline tone="calm" title={`${head}.`}>
      {rest} <SlowestOpen /> {children}
    </Headline>
  );
}
