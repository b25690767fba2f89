// The whole state of the page is in the address: #/RUN/VIEW?key=value or #/RUN/session/ID?…; #/ is the list of runs.
// #targets has no slash, because there is nothing that a run cannot be called.

export const VIEWS = ['live', 'findings', 'timeline', 'hotspots', 'sessions', 'steps', 'charts'] as const;
export type ViewName = (typeof VIEWS)[number] | 'session' | 'runs' | 'targets';

export type Route = {
  view: ViewName;
  /** null for the list of runs and for the targets. */
  run: string | null;
  /** Id of the session of view `session`. */
  session: string | null;
  /** Everything after the question mark. Filters have the names of the API's parameters; views add their own keys. */
  params: Readonly<Record<string, string>>;
};

export const HOME: Route = { view: 'runs', run: null, session: null, params: {} };
export const TARGETS: Route = { view: 'targets', run: null, session: null, params: {} };

/** Reads an address; what cannot be understood leads to the nearest place that can. */
export function parseAddress(hash: string): Route {
  const text = hash.replace(/^#/, '');
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const params = mark < 0 ? {} : parseParams(text.slice(mark + 1));
  if (path === TARGETS.view) return { ...TARGETS, params };
  const [run, view, session] = path.split('/').filter(Boolean).map(decode);
  if (!run) return { ...HOME, params };
  if (view === 'session' && session) return { view, run, session, params };
  const known = VIEWS.find((v) => v === view) ?? 'live';
  return { view: known, run, session: null, params };
}

/** Writes an address. Empty values are left out. */
export function formatAddress(route: Route): string {
  const start = route.view === 'targets' ? '#targets' : '#/';
  const parts = route.run === null ? [] : [encode(route.run), route.view];
  if (route.session !== null) parts.push(encode(route.session));
  const query = Object.entries(route.params)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${encode(key)}=${encodeValue(value)}`)
    .join('&');
  return `${start}${parts.join('/')}${query ? `?${query}` : ''}`;
}

function parseParams(text: string): Record<string, string> {
  const params: Record<string, string> = {};
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=');
    if (at > 0) params[decode(pair.slice(0, at))] = decode(pair.slice(at + 1));
  }
  return params;
}

/** Chats and mail programs cut links at odd places; a broken escape is text. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Lone surrogates have no UTF-8 form. */
function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed?.() ?? part).replaceAll('%3A', ':');
}

/** Keeps what reads well in a link: t=312..600, batch=train_step=3. */
function encodeValue(value: string): string {
  return encode(value).replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3D', '=');
}
