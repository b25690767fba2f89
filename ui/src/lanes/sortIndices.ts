/**
 * Sorts places by key, ascending; equal keys by the second key, descending; else as they were.
 * A merge of typed arrays: several times faster than a comparison function, which is called for each pair.
 */
export function sortIndices(
  places: Int32Array,
  key: ArrayLike<number>,
  second: ArrayLike<number> | null,
): void {
  if (isSorted(places, key, second)) return;
  const count = places.length;
  let from: Int32Array = places;
  let to: Int32Array = new Int32Array(count);
  for (let width = 1; width < count; width *= 2) {
    for (let low = 0; low < count; low += 2 * width) {
      merge(from, to, low, Math.min(low + width, count), Math.min(low + 2 * width, count), key, second);
    }
    [from, to] = [to, from];
  }
  if (from !== places) places.set(from);
}

function isSorted(places: Int32Array, key: ArrayLike<number>, second: ArrayLike<number> | null): boolean {
  for (let i = 1; i < places.length; i++) if (after(places[i - 1]!, places[i]!, key, second)) return false;
  return true;
}

function after(a: number, b: number, key: ArrayLike<number>, second: ArrayLike<number> | null): boolean {
  const x = key[a]!;
  const y = key[b]!;
  return x > y || (x === y && second !== null && second[a]! < second[b]!);
}

function merge(
  from: Int32Array,
  to: Int32Array,
  low: number,
  middle: number,
  high: number,
  key: ArrayLike<number>,
  second: ArrayLike<number> | null,
): void {
  let a = low;
  let b = middle;
  for (let at = low; at < high; at++) {
    if (b >= high || (a < middle && !after(from[a]!, from[b]!, key, second))) to[at] = from[a++]!;
    else to[at] = from[b++]!;
  }
}
