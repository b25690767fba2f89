/** Fills an area with thin lines on nothing: idle slots. */
export function hatch(
  g: CanvasRenderingContext2D,
  x: number,
  y: number,
  w: number,
  h: number,
  colour: string,
): void {
  if (w <= 0 || h <= 0) return;
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.beginPath();
  for (let at = Math.floor((x - h) / 6) * 6; at < x + w; at += 6) {
    g.moveTo(at, y);
    g.lineTo(at + h, y + h);
  }
  g.strokeStyle = colour;
  g.lineWidth = 1;
  g.stroke();
  g.restore();
}
