import type { Http } from './http';

const LOGIN = '/api/v1/login';

/** Trades a token for a cookie; rejects with the server's reason. */
export function login(http: Http, token: string): Promise<void> {
  return http.post(LOGIN, { token });
}

/** Takes `#token=T` out of the address, so that it is neither bookmarked nor sent on. */
export function takeTokenFromAddress(): string | null {
  const found = /^#\/?(?:\?)?token=([^&]+)/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  try {
    return decodeURIComponent(found[1]!);
  } catch {
    return found[1]!;
  }
}
