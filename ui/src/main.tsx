import './kit/base.css';
import { lazy, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { App, type MoreViews } from './App';
import { startTheme } from './colour/theme';
import { Http } from './data/server/http';
import { login, takeTokenFromAddress } from './data/server/login';
import { ServerSource } from './data/server/ServerSource';
import { TokenForm } from './frame/TokenForm';
import { HOME } from './route/address';
import { replace } from './route/useRoute';

// The page as a server serves it.
const views: MoreViews = {
  charts: lazy(() => import('./views/charts/ChartsView').then((m) => ({ default: m.ChartsView }))),
  targets: lazy(() => import('./views/targets/TargetsView').then((m) => ({ default: m.TargetsView }))),
};
let locked: (() => void) | null = null;
const http = new Http(() => locked?.());
const source = new ServerSource(http);

function ServedPage({ refused }: { refused: string | null }) {
  const [needsToken, setNeedsToken] = useState(refused !== null);
  locked = () => setNeedsToken(true);
  if (!needsToken) return <App source={source} views={views} />;
  return (
    <TokenForm refused={refused} login={(token) => login(http, token).then(() => setNeedsToken(false))} />
  );
}

async function start() {
  startTheme();
  const token = takeTokenFromAddress();
  let refused: string | null = null;
  if (token !== null) {
    replace(HOME);
    refused = await login(http, token).then(
      () => null,
      (cause: Error) => cause.message,
    );
  }
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <ServedPage refused={refused} />
    </StrictMode>,
  );
}

void start();
