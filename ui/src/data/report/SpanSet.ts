import type { SpanColumns } from './file';

const CONTAINERS = ['batch', 'task', 'session'];
const INFERRED = '(not yet seen)';

/** The spans of a report as typed arrays. Times are nanoseconds after `fromNs`. */
export class SpanSet {
  readonly count: number;
  readonly laneCount: number;
  /** Where each lane begins; one more entry than lanes. */
  readonly laneFirst: Int32Array;
  /** Place of the lane of each session, -1 if its spans are not here. */
  readonly laneOfSession: Int32Array;
  readonly lane: Int32Array;
  readonly name: Int32Array;
  readonly kind: Uint8Array;
  readonly outcome: Uint8Array;
  readonly worker: Int32Array;
  /** Absolute; -1 for none. */
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly self: Float64Array;
  readonly open: Uint8Array;
  readonly error: Int32Array;
  /** Whether it is work: no container, and not only inferred. */
  readonly work: Uint8Array;
  /** Place in `stages`, per name. */
  readonly stageOfName: Int32Array;
  readonly stages: string[];

  constructor(
    readonly columns: SpanColumns,
    sessions: number,
  ) {
    const c = columns;
    this.count = c.name.length;
    this.laneCount = c.lane_spans.length;
    this.laneFirst = new Int32Array(this.laneCount + 1);
    this.lane = new Int32Array(this.count);
    this.start = new Float64Array(this.count);
    this.parent = Int32Array.from(c.parent);
    let n = 0;
    for (let lane = 0; lane < this.laneCount; lane++) {
      const first = n;
      let at = 0;
      this.laneFirst[lane] = first;
      for (const end = first + c.lane_spans[lane]!; n < end; n++) {
        at += c.start_ns[n]!;
        this.start[n] = at;
        this.lane[n] = lane;
        if (this.parent[n]! >= 0) this.parent[n]! += first;
      }
    }
    this.laneFirst[this.laneCount] = n;
    this.laneOfSession = new Int32Array(sessions).fill(-1);
    for (let lane = 0; lane < c.lane_session.length; lane++) this.laneOfSession[c.lane_session[lane]!] = lane;
    this.name = Int32Array.from(c.name);
    this.kind = Uint8Array.from(c.kind);
    this.outcome = Uint8Array.from(c.outcome);
    this.worker = Int32Array.from(c.worker);
    this.depth = Int32Array.from(c.depth);
    this.duration = Float64Array.from(c.duration_ns);
    this.self = Float64Array.from(c.self_ns);
    for (let i = 0; i < this.count; i++) if (this.self[i]! < 0) this.self[i] = this.duration[i]!;
    this.open = new Uint8Array(this.count);
    for (const i of c.open) this.open[i] = 1;
    this.error = new Int32Array(this.count).fill(-1);
    for (let k = 0; k < c.error_at.length; k++) this.error[c.error_at[k]!] = c.error[k]!;
    this.work = this.findWork();
    this.stages = [...new Set(c.name_stages)];
    const places = new Map(this.stages.map((stage, i) => [stage, i]));
    this.stageOfName = Int32Array.from(c.name_stages, (stage) => places.get(stage)!);
  }

  private findWork(): Uint8Array {
    const container = this.columns.kinds.map((kind) => CONTAINERS.includes(kind));
    const inferred = this.columns.by_ids ? this.columns.names.indexOf(INFERRED) : -1;
    const work = new Uint8Array(this.count);
    for (let i = 0; i < this.count; i++) {
      work[i] = container[this.kind[i]!] || this.name[i] === inferred ? 0 : 1;
    }
    return work;
  }

  get fromNs(): number {
    return this.columns.from_ns;
  }

  stageOf(i: number): string {
    return this.columns.name_stages[this.name[i]!]!;
  }

  /** Place in `stages`. */
  stage(i: number): number {
    return this.stageOfName[this.name[i]!]!;
  }

  end(i: number): number {
    return this.start[i]! + this.duration[i]!;
  }

  /** Seconds since the epoch. */
  seconds(ns: number): number {
    return (this.fromNs + ns) / 1e9;
  }

  isSession(lane: number): boolean {
    return lane < this.columns.lane_session.length;
  }

  /** Place of the session of a lane; -1 for a track. */
  sessionOf(lane: number): number {
    return this.columns.lane_session[lane] ?? -1;
  }
}
