const WIDTH = 120;
const HEIGHT = 16;
const MIDDLE = HEIGHT / 2;

type Props = { value: number; usual: number; late: boolean };

/** A number against its usual: grey up to the usual, a post there; a tick at the value, or an arrow to it when it is out of line. */
export function UsualBar({ value, usual, late }: Props) {
  const top = Math.max(value, usual, 0) * 1.1 || 1;
  const x = (v: number) => Math.round((Math.max(0, v) / top) * WIDTH * 10) / 10;
  const [at, post] = [x(value), x(usual)];
  return (
    <svg width={WIDTH} height={HEIGHT} overflow="visible" aria-hidden="true">
      <path d={`M0 ${MIDDLE}H${WIDTH}`} stroke="var(--line-2)" />
      <rect x="0" y={MIDDLE - 4} width={Math.max(2, post)} height="8" rx="1" fill="var(--line-2)" />
      {late ? (
        <path
          d={arrow(post, at > post ? Math.max(at, post + 8) : Math.min(at, post - 8))}
          fill="var(--late)"
        />
      ) : (
        <path d={`M${at} ${MIDDLE - 6}v12`} stroke="var(--ink)" strokeWidth="2" />
      )}
      <path d={`M${post + 0.5} ${MIDDLE - 7}v14`} stroke="var(--ink)" strokeWidth="1.5" />
    </svg>
  );
}

function arrow(from: number, to: number): string {
  const neck = to + (to > from ? -5 : 5);
  return `M${from} ${MIDDLE - 3}H${neck}L${to} ${MIDDLE}L${neck} ${MIDDLE + 3}H${from}Z`;
}
