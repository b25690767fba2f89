import type { OpenSpanSummary } from '../../data/types';

/** How old the open spans of a stage are, as far as the live board knows. */
export type OpenAges = { p50_s: number; p95_s: number; oldest_s: number; late: boolean };

/** By stage; of several spans of one stage the oldest speaks. */
export function openAges(summaries: readonly OpenSpanSummary[]): Map<string, OpenAges> {
  const ages = new Map<string, OpenAges>();
  for (const s of summaries) {
    const before = ages.get(s.stage);
    if (before && before.oldest_s >= s.oldest_age_s) continue;
    ages.set(s.stage, { p50_s: s.p50_age_s, p95_s: s.p95_age_s, oldest_s: s.oldest_age_s, late: s.suspect });
  }
  return ages;
}
