import { pauseMs } from '../backoff';
import { type LiveListener, type LiveSubscription, SourceError } from '../source';
import type { LiveDelta, LiveReport } from '../types';

/**
 * The live board of a server as server-sent events. Reconnects itself, because EventSource says neither why it failed
 * nor when it tries again, and gives up for good when the answer is not a stream.
 */
export class EventStream implements LiveSubscription {
  private events: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private awaySinceMs = 0;
  private closed = false;
  private missing = false;

  /** @param probe asks something simple of the server, and rejects with the reason why it fails */
  constructor(
    private readonly url: string,
    private readonly listener: LiveListener,
    private readonly probe: () => Promise<unknown>,
  ) {
    listener.connection({ state: 'connecting' });
    this.open();
  }

  retry(): void {
    clearTimeout(this.timer);
    if (!this.closed && !this.events) this.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.events?.close();
    this.events = null;
  }

  private open(): void {
    const events = new EventSource(this.url);
    this.events = events;
    events.addEventListener('snapshot', (event) => {
      this.failures = 0;
      this.missing = false;
      this.listener.connection({ state: 'live' });
      this.listener.snapshot(JSON.parse(event.data) as LiveReport);
    });
    events.addEventListener('delta', (event) => this.listener.delta(JSON.parse(event.data) as LiveDelta));
    events.addEventListener('error', () => void this.fail(events));
  }

  private async fail(events: EventSource): Promise<void> {
    if (this.events !== events) return;
    events.close();
    this.events = null;
    if (this.failures === 0) this.awaySinceMs = Date.now();
    this.failures++;
    const pause = pauseMs(this.failures);
    if (!this.missing) this.tell(pause, 'the connection broke off');
    this.timer = setTimeout(() => this.open(), pause);
    const until = Date.now() + pause;
    const cause = await this.probe().then(
      () => null,
      (error) => (error instanceof SourceError ? error : new SourceError(0, String(error))),
    );
    if (this.closed || this.events) return;
    this.missing = cause?.status === 404;
    if (this.missing) this.listener.connection({ state: 'missing' });
    else if (cause) this.tell(until - Date.now(), cause.message);
  }

  private tell(pause: number, reason: string): void {
    this.listener.connection({
      state: 'away',
      sinceMs: this.awaySinceMs,
      retryAtMs: Date.now() + pause,
      reason,
    });
  }
}
