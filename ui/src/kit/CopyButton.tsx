import { useEffect, useState } from 'react';
import { Button } from './Button';
import { copyText } from './clipboard';

export function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState('Copy');
  useEffect(() => {
    if (said === 'Copy') return;
    const timer = setTimeout(() => setSaid('Copy'), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      small
      onClick={() => void copyText(text).then((done) => setSaid(done ? 'Copied' : 'Not allowed'))}
    >
      {said}
    </Button>
  );
}
