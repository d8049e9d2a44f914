import type { Measure } from '../growth.js';

/** More lines cannot be distinguished. */
export const maxLines = 12;

/** Distinct with red-green colour blindness, on light and dark. */
export const lineColors = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#8c6bb1',
  '#7f7f7f',
  '#b15928',
  '#33a02c',
  '#e31a1c',
  '#6a3d9a',
] as const;

/** Returns the ticks of an axis: about five, at steps of 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number): readonly number[] {
  const rough = (high - low) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(low / step);
  return Array.from(
    { length: Math.max(1, Math.floor(high / step) - first + 1) },
    (_, index) => (first + index) * step,
  );
}

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly scale: (value: number) => number;
}

export function scale(values: readonly number[], from: number, to: number): Scale {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const span = high - low;
  const scale = (value: number) =>
    Math.round((span === 0 ? (from + to) / 2 : from + ((value - low) / span) * (to - from)) * 10) / 10;
  return { low, high, scale };
}

/** Returns a step line: each value lasts until the next one. */
export function path(measures: readonly Measure[], x: Scale, y: Scale): string {
  return measures
    .map(({ at, value }, index) =>
      index === 0 ? `M${x.scale(at)} ${y.scale(value)}` : `H${x.scale(at)}V${y.scale(value)}`,
    )
    .join('');
}
