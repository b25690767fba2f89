import type { SpanColumns } from './file';

/** What `pieceLeaf` says of waits (core/…/accounting/Pieces.java). */
const WAIT_NUMBERS: Record<number, string> = {
  [-1]: 'queue',
  [-2]: 'gap',
  [-3]: 'barrier',
  [-4]: 'unaccounted',
  [-5]: 'siblings',
};

export const WAITS: readonly string[] = Object.values(WAIT_NUMBERS);

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
  /** Start after the beginning of its lane: exact, as clocks of lanes may be years apart. */
  readonly offset: Float64Array;
  readonly duration: Float64Array;
  /** How long it was what its session was doing: the lengths of its pieces. */
  readonly self: Float64Array;
  readonly open: Uint8Array;
  readonly error: Int32Array;
  /** Whether it is work: no container, and not only inferred. */
  readonly work: Uint8Array;
  readonly clockDisagrees: Uint8Array;
  /** Where the pieces of each lane begin; one more entry than lanes. */
  readonly pieceFirst: Int32Array;
  /** Whose time a piece is: a span, or a wait below 0. */
  readonly pieceLeaf: Int32Array;
  /** When it begins, after the beginning of its lane; it ends with the next one, or with its lane's time. */
  readonly pieceFrom: Float64Array;
  readonly laneFrom: Float64Array;
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
    this.offset = new Float64Array(this.count);
    this.laneFrom = Float64Array.from(c.lane_from_ns);
    this.parent = Int32Array.from(c.parent);
    let n = 0;
    for (let lane = 0; lane < this.laneCount; lane++) {
      const first = n;
      let at = 0;
      this.laneFirst[lane] = first;
      for (const end = first + c.lane_spans[lane]!; n < end; n++) {
        at += c.start_ns[n]!;
        this.offset[n] = at;
        this.start[n] = this.laneFrom[lane]! + at;
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
    this.open = new Uint8Array(this.count);
    for (const i of c.open) this.open[i] = 1;
    this.error = new Int32Array(this.count).fill(-1);
    for (let k = 0; k < c.error_at.length; k++) this.error[c.error_at[k]!] = c.error[k]!;
    this.work = Uint8Array.from(c.kind, (kind) => (c.kind_works[kind] ? 1 : 0));
    this.clockDisagrees = new Uint8Array(this.count);
    for (const i of c.clock_disagrees) this.clockDisagrees[i] = 1;
    this.pieceFirst = new Int32Array(this.laneCount + 1);
    this.pieceLeaf = new Int32Array(c.piece_leaf.length);
    this.pieceFrom = new Float64Array(c.piece_leaf.length);
    this.readPieces();
    this.self = new Float64Array(this.count);
    for (let lane = 0; lane < this.laneCount; lane++) {
      this.eachPiece(lane, (leaf, from, to) => {
        if (leaf >= 0) this.self[leaf]! += to - from;
      });
    }
    this.stages = [...new Set(c.name_stages)];
    const places = new Map(this.stages.map((stage, i) => [stage, i]));
    this.stageOfName = Int32Array.from(c.name_stages, (stage) => places.get(stage)!);
  }

  private readPieces(): void {
    const { lane_pieces, piece_leaf, piece_end, piece_ns } = this.columns;
    let [n, own] = [0, 0];
    for (let lane = 0; lane < this.laneCount; lane++) {
      this.pieceFirst[lane] = n;
      let leaf = this.laneFirst[lane]!;
      let at = 0;
      for (const last = n + lane_pieces[lane]!; n < last; n++) {
        const said = piece_leaf[n]!;
        if ((said & 1) === 0) leaf += said / 2;
        this.pieceLeaf[n] = said & 1 ? (said - 1) / 2 : leaf;
        this.pieceFrom[n] = at;
        const end = piece_end[n]!;
        const span = leaf + (end - (end & 1)) / 2;
        if (end !== 0) at = this.offset[span]! + (end & 1 ? this.duration[span]! : 0);
        else if (n < last - 1) at = piece_ns[own++]!;
      }
    }
    this.pieceFirst[this.laneCount] = n;
  }

  /** Where the time of a lane went, in order: spans, or waits below 0. Times count from its beginning. */
  eachPiece(lane: number, tell: (leaf: number, from: number, to: number) => void): void {
    const last = this.pieceFirst[lane + 1]! - 1;
    for (let n = this.pieceFirst[lane]!; n <= last; n++) {
      tell(
        this.pieceLeaf[n]!,
        this.pieceFrom[n]!,
        n < last ? this.pieceFrom[n + 1]! : this.columns.lane_ns[lane]!,
      );
    }
  }

  /** The stage or the wait of a piece. */
  placeOf(leaf: number): string {
    return leaf < 0 ? WAIT_NUMBERS[leaf]! : this.stageOf(leaf);
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

  /** Whether the clock of a session has no known beginning. */
  isRelative(session: number): boolean {
    return this.columns.relative[this.laneOfSession[session]!] === 1;
  }

  /** The kind of line of hotspots that it counts in. */
  line(i: number): string {
    return this.columns.kinds[this.kind[i]!]!;
  }

  failed(i: number): boolean {
    return !this.open[i] && this.columns.outcomes[this.outcome[i]!] === 'error';
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
