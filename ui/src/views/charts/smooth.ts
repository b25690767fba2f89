type Values = readonly (number | null)[];

/**
 * Exponential smoothing whose first values are not pulled towards zero. It starts anew after a break, because what was
 * before it says nothing about what comes after.
 *
 * @param share of the value before, 0 to 1
 */
export function smoothed(values: Values, share: number): (number | null)[] {
  let sum = 0;
  let weight = 0;
  return values.map((value) => {
    if (value === null) {
      sum = 0;
      weight = 0;
      return null;
    }
    sum = sum * share + value * (1 - share);
    weight = weight * share + (1 - share);
    return sum / weight;
  });
}
