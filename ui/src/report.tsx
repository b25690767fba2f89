import './kit/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTheme } from './colour/theme';
import { EmptyState } from './kit/EmptyState';

// The page as one file. `rollscope report` writes the data in place of the text in report.html, which must therefore
// not appear in the script.
const text = document.getElementById('rollscope-data')?.textContent ?? '';

startTheme();
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <EmptyState
      title={text.startsWith('"ROLLSCOPE') ? 'This report carries no data.' : 'This report cannot be read.'}
    >
      Write one with “rollscope report DIR”.
    </EmptyState>
  </StrictMode>,
);
