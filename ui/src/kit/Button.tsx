import type { ReactNode } from 'react';
import css from './controls.module.css';

type Props = {
  children: ReactNode;
  primary?: boolean;
  small?: boolean;
  /** Shown behind the text: what the keyboard does. */
  keyName?: string;
  title?: string;
} & (
  | { onClick: () => void; href?: never; download?: never }
  | { href: string; onClick?: never; download?: boolean }
);

/** A button, or a link that looks like one when it leads somewhere. */
export function Button({ children, primary, small, keyName, title, onClick, href, download }: Props) {
  const look = `${css.button} ${primary ? css.primary : ''} ${small ? css.small : ''}`;
  const inside = (
    <>
      {children}
      {keyName && <kbd>{keyName}</kbd>}
    </>
  );
  if (href !== undefined) {
    return (
      <a className={look} href={href} title={title} download={download}>
        {inside}
      </a>
    );
  }
  return (
    <button type="button" className={look} onClick={onClick} title={title}>
      {inside}
    </button>
  );
}
