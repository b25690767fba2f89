import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReport } from './file';
import { hotspotsOf } from './hotspots';
import { occupancyOf } from './occupancy';
import { sessionOf } from './oneSession';
import { SpanSet } from './SpanSet';

// What the page tells from columns is what the command line told from the traces. tests/ui/run writes the reports.
const folder = process.env.ROLLSCOPE_REPORTS;
const files = folder ? readdirSync(folder).filter((name) => name.endsWith('.html')) : [];

/** Times since the epoch as doubles are good to a quarter of a microsecond. */
const TOLERANCE_S = 1e-6;

function near(told: number, expected: number, what: string, times = 1): void {
  const tolerance = TOLERANCE_S * Math.max(times, Math.abs(expected) * 1e-3);
  expect(Math.abs(told - expected), what).toBeLessThanOrEqual(tolerance);
}

describe('columns agree with the command line', () => {
  test('reports are there', () => {
    expect(
      files,
      `ROLLSCOPE_REPORTS: ${folder} (expected: the reports that tests/ui/run writes)`,
    ).not.toEqual([]);
  });

  test.each(files)('%s', async (name) => {
    const html = readFileSync(join(folder!, name), 'utf8');
    const file = await readReport(/id="rollscope-report">([^<]*)/.exec(html)![1]!);
    const spans = new SpanSet(file.timeline, file.sessions.session.length);
    const all = Int32Array.from(file.sessions.session.keys());
    expect(file.sampled).toBeNull();

    for (const [id, detail] of Object.entries(file.details)) {
      // Of a session the whole is told, of columns what is in scope.
      if (file.scope !== 'all') continue;
      const built = sessionOf(file, file.sessions, spans, file.sessions.session.indexOf(id));
      expect(built.spans.length, id).toBe(detail.spans.length);
      for (const { stage, self_s, count } of detail.stages) {
        const told = built.stages.find((s) => s.stage === stage);
        expect(told?.count, `${id} ${stage}`).toBe(count);
        near(told!.self_s, self_s, `${id} ${stage}`);
      }
      const byPlace = (segments: [number, number, string][]) => {
        const sums = new Map<string, number>();
        for (const [from, to, place] of segments) sums.set(place, (sums.get(place) ?? 0) + to - from);
        return sums;
      };
      const expected = byPlace(detail.segments!);
      for (const [place, seconds] of byPlace(built.segments!))
        near(seconds, expected.get(place) ?? 0, `${id} ${place}`, detail.segments!.length);
      expect(
        built.spans.map((s) => s.critical),
        id,
      ).toEqual(detail.spans.map((s) => s.critical));
    }

    const hotspots = hotspotsOf(file.hotspots, file.sessions, spans, all);
    for (const stage of file.hotspots.stage_stats.filter((s) => s.kind === 'phase')) {
      const told = hotspots.stage_stats.find((s) => s.stage === stage.stage)!;
      expect(told.count, stage.stage).toBe(stage.count);
      expect(told.open_count, stage.stage).toBe(stage.open_count);
      expect(told.error_count, stage.stage).toBe(stage.error_count);
      expect(told.distribution, stage.stage).toEqual(stage.distribution);
      near(told.self_s, stage.self_s, stage.stage);
      near(told.p95_s, stage.p95_s, stage.stage);
      near(told.share, stage.share, stage.stage);
    }
    near(hotspots.waits.gap_s, file.hotspots.waits.gap_s, 'gap');
    expect(hotspots.nesting!.map((n) => [n.stage, n.count]).sort()).toEqual(
      file.hotspots.nesting!.map((n) => [n.stage, n.count]).sort(),
    );

    const { from_ns, to_ns } = file.occupancy;
    const occupancy = occupancyOf(file.occupancy, spans, all, { buckets: 400 });
    expect(occupancy.to_ns).toBeCloseTo(to_ns, -3);
    const bucketS = (to_ns - from_ns) / 400e9;
    for (const [place, values] of Object.entries({ ...file.occupancy.stages, ...file.occupancy.waits })) {
      const told = { ...occupancy.stages, ...occupancy.waits }[place] ?? [];
      values.forEach((value, b) => {
        expect(Math.abs((told[b] ?? 0) - value) * bucketS, `${place} ${b}`).toBeLessThan(1e-4);
      });
    }
  });
});
