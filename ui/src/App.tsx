import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react';
import { type Source, SourceContext } from './data/source';
import { FindingsProvider } from './data/useFindings';
import { LiveProvider } from './data/useLive';
import { AppFrame } from './frame/AppFrame';
import { RunGate } from './frame/RunGate';
import { EmptyState } from './kit/EmptyState';
import { ErrorBoundary } from './kit/ErrorBoundary';
import type { Route } from './route/address';
import { useRoute } from './route/useRoute';
import { FindingsView } from './views/findings/FindingsView';
import { HotspotsView } from './views/hotspots/HotspotsView';
import { LiveView } from './views/live/LiveView';
import { RunsView } from './views/runs/RunsView';
import { SessionView } from './views/session/SessionView';
import { SessionsView } from './views/sessions/SessionsView';
import { StepsView } from './views/steps/StepsView';
import { TimelineView } from './views/timeline/TimelineView';

/** Views that not every page has. */
export type MoreViews = { charts?: ComponentType; targets?: ComponentType };

/**
 * The application, whatever its data comes from.
 *
 * @param views those of a server are loaded when they are first looked at; a report has no targets
 */
export function App({ source, views }: { source: Source; views?: MoreViews }) {
  const route = useRoute();
  useEffect(() => {
    document.title = route.run === null ? 'Rollscope' : `${route.session ?? route.run} – Rollscope`;
  }, [route]);
  const frame = (
    <AppFrame>
      <ErrorBoundary place={`${route.run} ${route.view} ${route.session}`}>
        {route.run === null ? (
          viewOf(route, views)
        ) : (
          <RunGate run={route.run}>{viewOf(route, views)}</RunGate>
        )}
      </ErrorBoundary>
    </AppFrame>
  );
  return (
    <SourceContext value={source}>
      {route.run === null ? (
        frame
      ) : (
        <LiveProvider run={route.run}>
          <FindingsProvider run={route.run}>{frame}</FindingsProvider>
        </LiveProvider>
      )}
    </SourceContext>
  );
}

function viewOf(route: Route, views: MoreViews | undefined): ReactNode {
  switch (route.view) {
    case 'runs':
      return <RunsView />;
    case 'live':
      return <LiveView />;
    case 'findings':
      return <FindingsView />;
    case 'timeline':
      return <TimelineView />;
    case 'hotspots':
      return <HotspotsView />;
    case 'sessions':
      return <SessionsView />;
    case 'session':
      return <SessionView key={route.session} session={route.session ?? ''} />;
    case 'steps':
      return <StepsView />;
    case 'charts':
    case 'targets':
      return <OtherView View={views?.[route.view]} />;
  }
}

/** Loaded when it is first looked at. */
function OtherView({ View }: { View: ComponentType | undefined }) {
  if (!View) return <EmptyState title="This is not part of a report.">A server shows it.</EmptyState>;
  return (
    <Suspense>
      <View />
    </Suspense>
  );
}
