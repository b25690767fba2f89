import { useEffect, useState } from 'react';
import { Button } from './Button';
import { copyText } from './clipboard';

type Props = { text: string; label?: string; keyName?: string };

export function CopyButton({ text, label = 'Copy', keyName }: Props) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      small
      {...(keyName && { keyName })}
      onClick={() => void copyText(text).then((done) => setSaid(done ? 'Copied' : 'Not allowed'))}
    >
      {said ?? label}
    </Button>
  );
}
