const FIRST_MS = 1000;
const LONGEST_MS = 15_000;

/** How long to wait after the n-th failure in a row (1, 2, …): 1, 2, 4, 8, 15 s. */
export function pauseMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(10, failures - 1));
}
