import type { Finding } from '../../data/findingTypes';
import { unbroken } from '../../text/duration';
import { shortId } from '../../text/id';

/** What a finding says, in full or in part; the session that it blames is shown as ids are everywhere. */
export function Sentence({ finding: { subject }, text }: { finding: Finding; text: string }) {
  if (subject.type !== 'session' || !text.includes(subject.id)) return unbroken(text);
  const [before, ...after] = text.split(subject.id);
  return (
    <>
      {unbroken(before ?? '')}
      <span className="mono" title={subject.id}>
        {shortId(subject.id)}
      </span>
      {unbroken(after.join(shortId(subject.id)))}
    </>
  );
}
