import { sessionAddress } from '../route/useRoute';
import { shortId } from '../text/id';

/** The id of a session, shortened, as a link to it; copying and hovering give it in full. */
export function SessionId({ run, session }: { run: string; session: string }) {
  const short = shortId(session);
  return (
    <a
      className="mono cut"
      href={sessionAddress(run, session)}
      title={session}
      tabIndex={-1}
      onCopy={(event) => {
        if (getSelection()?.toString() !== short) return;
        event.clipboardData.setData('text/plain', session);
        event.preventDefault();
      }}
    >
      {short}
    </a>
  );
}
