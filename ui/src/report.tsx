import './kit/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { startTheme } from './colour/theme';
import { readReport } from './data/report/file';
import { ReportSource } from './data/report/ReportSource';
import { EmptyState } from './kit/EmptyState';
import { currentRoute, replace } from './route/useRoute';
import { ChartsView } from './views/charts/ChartsView';

// The page as one file: `rollscope report` puts the data into an element of report.html.
const PLACE = 'rollscope-report';

async function start() {
  startTheme();
  const root = createRoot(document.getElementById('app')!);
  const element = document.getElementById(PLACE);
  const text = element?.textContent ?? '';
  element?.remove();
  if (text === '') {
    root.render(
      <EmptyState title="This report carries no data.">Write one with “rollscope report DIR”.</EmptyState>,
    );
    return;
  }
  try {
    const file = await readReport(text);
    const source = new ReportSource(file);
    if (currentRoute().run === null) {
      replace({ view: 'hotspots', run: file.run, session: null, params: {} });
    }
    root.render(
      <StrictMode>
        <App source={source} views={{ charts: ChartsView }} />
      </StrictMode>,
    );
  } catch (cause) {
    root.render(
      <EmptyState title="This report cannot be read.">
        {cause instanceof Error ? cause.message : String(cause)}. It may have been cut off on its way; write
        or fetch it again.
      </EmptyState>,
    );
  }
}

void start();
