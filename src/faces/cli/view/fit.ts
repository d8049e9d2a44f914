import stringWidth from 'string-width';
import { absent } from './text.js';

export const gap = 2;
/** Maximum width of a cell: longer lines are hard to read, and one long text would push the others out. */
const maxCellWidth = 100;
/** Texts up to this length are not cut: part of a time or an id says nothing. */
const maxUncutWidth = 20;

/** Minimum width of a truncated text: a quarter of a narrow terminal. */
const cutWidth = (width: number) => Math.min(maxUncutWidth, Math.max(12, Math.floor(width / 4)));

/** Width of the first long text: 32 of 80 columns, 80 of 200, less on narrow terminals. */
const readableWidth = (width: number) => Math.floor(Math.min(width * 0.4, width * 0.6 - 16));

export interface CandidateColumn {
  readonly name: string;
  readonly cells: readonly string[];
  /** True for a column of addresses or whole lists, which yields to more readable ones. */
  readonly lowPriority: boolean;
  /** True for long texts, the first of which stays readable. */
  readonly readable?: boolean;
}

export interface ColumnLayout {
  readonly columnIndexes: readonly number[];
  readonly widths: readonly number[];
  /** The columns that a wider table would show. */
  readonly eligible: readonly number[];
}

function contentWidth({ name, cells }: CandidateColumn): number {
  let width = stringWidth(name);
  for (const cell of cells) width = Math.max(width, stringWidth(cell));
  return Math.min(width, maxCellWidth);
}

const total = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1));

function distribute(least: readonly number[], desired: readonly number[], width: number): number[] {
  const widths = [...least];
  let remaining = width - total(least);
  while (remaining > 0) {
    const needy = widths.flatMap((now, index) => (now < (desired[index] as number) ? [index] : []));
    if (needy.length === 0) break;
    for (const index of needy) {
      if (remaining === 0) break;
      widths[index] = (widths[index] as number) + 1;
      remaining -= 1;
    }
  }
  return widths;
}

/**
 * Lays out the first columns that fit, in order. Empty and low-priority columns appear only if selected. The first long
 * text stays readable, the others are cut further. Null if too little would be visible, and a list of cards is better.
 */
export function fitColumns(
  candidates: readonly CandidateColumn[],
  width: number,
  isSelected: boolean,
): ColumnLayout | null {
  const fullWidths = candidates.map(contentWidth);
  const firstLong = fullWidths.findIndex(
    (fullWidth, index) => fullWidth > maxUncutWidth && candidates[index]?.readable === true,
  );
  const least = candidates.map(({ name }, index) => {
    const fullWidth = fullWidths[index] as number;
    if (fullWidth <= maxUncutWidth) return fullWidth;
    const cut = index === firstLong ? Math.max(cutWidth(width), readableWidth(width)) : cutWidth(width);
    return Math.min(fullWidth, Math.max(stringWidth(name), cut));
  });
  const empty = ({ cells }: CandidateColumn) => cells.every((cell) => cell === absent);
  const eligible = candidates.flatMap((one, index) =>
    isSelected || !(one.lowPriority || empty(one)) ? [index] : [],
  );
  const indexes: number[] = [];
  const of = (widths: readonly number[], indices: readonly number[]) =>
    indices.map((index) => widths[index] as number);
  for (const index of eligible) {
    if (total(of(least, [...indexes, index])) <= width) indexes.push(index);
  }
  if (isSelected ? indexes.length < eligible.length : indexes.length < Math.min(3, eligible.length))
    return null;
  return {
    columnIndexes: indexes,
    eligible,
    widths: distribute(of(least, indexes), of(fullWidths, indexes), width),
  };
}
