import { useState } from 'react';
import { EmptyState } from '../kit/EmptyState';
import css from './TokenForm.module.css';

/** Shown when the server wants a token. `login` rejects with the reason. */
export function TokenForm({
  login,
  refused,
}: {
  login: (token: string) => Promise<void>;
  refused: string | null;
}) {
  const [token, setToken] = useState('');
  const [reason, setReason] = useState(refused);
  return (
    <EmptyState
      title="A token is needed."
      footer={
        reason ? (
          <span className="bad" role="alert">
            {reason}
          </span>
        ) : (
          'It is kept as a cookie of this browser, never in the address.'
        )
      }
    >
      The server printed it when it started; it is also in the file “token” of its data folder.
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          login(token.trim()).catch((cause: Error) => setReason(cause.message));
        }}
      >
        <input
          type="password"
          value={token}
          onChange={(e) => setToken(e.target.value)}
          aria-label="Token"
          autoComplete="current-password"
          required
        />
        <button type="submit">Open</button>
      </form>
    </EmptyState>
  );
}
