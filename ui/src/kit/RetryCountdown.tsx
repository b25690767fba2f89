import { useEffect, useState } from 'react';

/** "Retrying in 3 s." */
export function RetryCountdown({ atMs }: { atMs: number }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((atMs - Date.now()) / 1000);
  return <>{left > 0 ? `Retrying in ${left} s.` : 'Retrying now.'}</>;
}
