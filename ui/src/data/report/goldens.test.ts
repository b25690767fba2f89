import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Errors, Hotspots, Occupancy, Sessions } from '../types';
import type { ReportFile } from './file';
import { ReportSource } from './ReportSource';

// What the page of a report answers to filters is what the folder answers: cli's ReportGoldensTest writes both.
const folder = process.env.ROLLSCOPE_GOLDENS ?? '';
const samples = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.goldens.json'))
  : [];

type Golden = {
  filter: { status: string; stage: string; task: string; worker: string; text: string };
  hotspots: Hotspots;
  errors: Errors;
  summary: Sessions;
  list: Sessions;
  occupancy: Occupancy;
};

/** Whole nanoseconds divided by a billion; times since the epoch are good to a quarter of a microsecond. */
function near(told: number, expected: number, what: string): void {
  const tolerance = Math.abs(expected) > 1e8 ? 1e-6 : 0.6e-9 + Math.abs(expected) * 1e-12;
  if (!(Math.abs(told - expected) <= tolerance)) expect(told, what).toBe(expected);
}

/** Every number, text and list of what is expected is in what was told. */
function same(told: unknown, expected: unknown, what: string): void {
  if (typeof expected === 'number') near(told as number, expected, what);
  else if (Array.isArray(expected)) {
    if ((told as unknown[])?.length !== expected.length) expect(told, what).toHaveLength(expected.length);
    expected.forEach((value, i) => {
      same((told as unknown[])[i], value, `${what}[${i}]`);
    });
  } else if (expected !== null && typeof expected === 'object') {
    for (const [key, value] of Object.entries(expected))
      same((told as Record<string, unknown>)?.[key], value, `${what}.${key}`);
  } else if ((told ?? null) !== (expected ?? null)) expect(told, what).toBe(expected);
}

describe('a report answers filters as its folder does', () => {
  test('goldens are there', () => {
    expect(samples, `ROLLSCOPE_GOLDENS: ${folder} (expected: what tests/ui/run has written)`).not.toEqual([]);
  });

  test.each(samples)(
    '%s',
    async (name) => {
      const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const file = read(name.replace('.goldens.', '.report.')) as ReportFile;
      const { goldens } = read(name) as { goldens: Golden[] };
      const source = new ReportSource(file);
      expect(goldens.length).toBeGreaterThanOrEqual(20);
      for (const golden of goldens) {
        const { text, ...rest } = golden.filter;
        const filter = Object.fromEntries(Object.entries({ ...rest, q: text }).filter(([, v]) => v !== null));
        const what = JSON.stringify(filter);

        const hotspots = await source.hotspots(file.run, filter);
        const { errors: causes, ...expected } = golden.hotspots;
        same(hotspots, expected, `hotspots ${what}`);
        same(
          hotspots.errors,
          causes.map(({ stage, error, count }) => ({ stage, error, count })),
          `causes ${what}`,
        );
        same(await source.errors(file.run, filter), golden.errors, `errors ${what}`);

        const list = await source.sessions(file.run, filter, { sort: '-wall', limit: 1000 });
        expect(list.total, what).toBe(golden.list.total);
        // Steps that the trainer tells stand for batches in a report (contracts.md 5.18); a folder's list has what sessions name.
        const rows = golden.list.rows.map(({ batch, train_step, ...row }) =>
          batch === null ? row : { ...row, batch, train_step },
        );
        same(list.rows, rows, `sessions ${what}`);
        const { records, status_counts, statuses, reason_counts, role_counts, span_counts } = golden.summary;
        same(
          list,
          { records, status_counts, statuses, reason_counts, role_counts, span_counts },
          `summary ${what}`,
        );
        for (const metric of ['total_s', 'work_s', 'queue_s', 'gap_s', 'barrier_s'])
          same(list.metrics[metric], golden.summary.metrics[metric], `${metric} ${what}`);
      }
    },
    120_000,
  );
});
