import { useMemo } from 'react';
import type { Session } from '../../data/types';
import { Button } from '../../kit/Button';
import { CopyButton } from '../../kit/CopyButton';
import { useKeys } from '../../kit/keys';
import { Pane } from '../../kit/Pane';
import { setParams } from '../../route/useRoute';
import { count } from '../../text/count';
import css from './SessionView.module.css';

const MOST_SHOWN = 500_000;

/** The answer as it came, as text. */
export function RawJson({ session }: { session: Session }) {
  const text = useMemo(() => JSON.stringify(session, null, 2), [session]);
  const close = () => setParams({ raw: undefined });
  useKeys([{ key: 'Escape', does: 'Close, clear, go up', run: close }]);
  return (
    <Pane
      title="Raw JSON"
      note={
        text.length > MOST_SHOWN
          ? `the first ${count(MOST_SHOWN)} of ${count(text.length)} characters`
          : `${count(text.length)} characters`
      }
      className={css.rawPane}
      right={
        <>
          <CopyButton text={text} />
          <Button small onClick={() => download(`${session.session}.json`, text)}>
            Download
          </Button>
          <Button small onClick={close} keyName="Esc">
            Close
          </Button>
        </>
      }
    >
      <pre className={css.raw}>{text.slice(0, MOST_SHOWN)}</pre>
    </Pane>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\w.:-]+/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
