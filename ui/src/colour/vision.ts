import { linear, parseHex, type Rgb } from './mix';

export type Vision = 'normal' | 'protan' | 'deutan' | 'tritan';

type Matrix = readonly [Rgb, Rgb, Rgb];

/** Complete dichromacy over linear light, after Machado, Oliveira and Fernandes (2009). */
const SEEN: Record<Vision, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (m: Matrix, v: Rgb): Rgb => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const clamp = (v: number): number => Math.min(1, Math.max(0, v));

const TO_LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function oklab(hex: string, vision: Vision): Rgb {
  const [r, g, b] = parseHex(hex);
  const [x, y, z] = times(SEEN[vision], [linear(r), linear(g), linear(b)]);
  const [l, m, s] = times(TO_LMS, [clamp(x), clamp(y), clamp(z)]);
  return times(TO_LAB, [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)]);
}

/** OKLab distance × 100 as somebody with that vision sees it; below 3 is hard to tell. */
export function distance(a: string, b: string, vision: Vision): number {
  const [x, y] = [oklab(a, vision), oklab(b, vision)];
  return 100 * Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}
