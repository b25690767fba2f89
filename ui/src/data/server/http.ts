import { SourceError } from '../source';

/** A list stands for a parameter that is repeated. */
type Parameters = Record<string, string | number | readonly string[] | undefined>;
/** Weak: an answer that no view shows any more can be tens of megabytes. */
type Remembered = { tag: string; answer: WeakRef<object> };

const MOST_REMEMBERED = 60;

/** JSON over HTTP: unchanged answers come back as the same object, refusals as a SourceError that says what failed. */
export class Http {
  private readonly remembered = new Map<string, Remembered>();

  /** @param onLocked called when the server wants a token */
  constructor(private readonly onLocked: () => void) {}

  async get<T>(path: string, parameters: Parameters, signal: AbortSignal): Promise<T> {
    const url = withParameters(path, parameters);
    const known = this.remembered.get(url);
    const before = known?.answer.deref();
    const response = await send(url, {
      signal,
      headers: known && before ? { 'If-None-Match': known.tag } : {},
    });
    if (response.status === 304 && before) return before as T;
    if (!response.ok) throw await this.refusal(response);
    const answer = await readJson(response, signal);
    const tag = response.headers.get('ETag');
    if (tag) this.remember(url, { tag, answer: new WeakRef(answer) });
    return answer as T;
  }

  async post(path: string, body: unknown): Promise<void> {
    const response = await send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await this.refusal(response);
  }

  private remember(url: string, entry: Remembered): void {
    this.remembered.delete(url);
    this.remembered.set(url, entry);
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
  }

  private async refusal(response: Response): Promise<SourceError> {
    if (response.status === 401) this.onLocked();
    const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
    return new SourceError(response.status, body?.error?.message ?? `the server answered ${response.status}`);
  }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new SourceError(0, 'the server does not answer');
  }
}

async function readJson(response: Response, signal: AbortSignal): Promise<object> {
  try {
    return await response.json();
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new SourceError(0, 'the answer broke off');
  }
}

export function withParameters(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (typeof value === 'object') for (const one of value) query.append(key, one);
    else if (value !== undefined && value !== '') query.set(key, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
