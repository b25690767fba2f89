import { type RefObject, useEffect, useState } from 'react';
import { setParams } from '../../route/useRoute';
import { count } from '../../text/count';
import css from './Timeline.module.css';

const PAUSE_MS = 150;

type Props = {
  field: RefObject<HTMLInputElement | null>;
  find: string;
  matches: number;
  onJump: (by: 1 | -1) => void;
};

/** Finds spans in the picture: the others are dimmed, Enter jumps from one to the next. */
export function SearchField({ field, find, matches, onJump }: Props) {
  const [text, setText] = useState(find);
  const [known, setKnown] = useState(find);
  if (find !== known) {
    setKnown(find);
    setText(find);
  }
  useEffect(() => {
    if (text === known) return;
    const timer = setTimeout(() => setParams({ find: text || undefined }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, known]);
  return (
    <span className={css.search}>
      <input
        ref={field}
        type="search"
        value={text}
        placeholder="Find in the picture"
        aria-label="Find in the picture"
        spellCheck={false}
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') {
            if (text !== find) setParams({ find: text || undefined });
            onJump(e.shiftKey ? -1 : 1);
          }
          if (e.key === 'Escape') {
            setParams({ find: undefined });
            setText('');
            e.currentTarget.blur();
          }
        }}
      />
      <span className={css.found} aria-live="polite">
        {find ? matches === 0 ? 'none' : count(matches) : <kbd>/</kbd>}
      </span>
    </span>
  );
}
