import { styleText } from 'node:util';
import type { OutputStream } from './context.js';

type Style = Parameters<typeof styleText>[0];

/** Colours for lines that are too simple to be drawn; without colour the text comes back as it is. */
export function colorText(style: Style, text: string, color: boolean): string {
  // Whether there are colours is decided already, for this output and not for the process's own.
  return color ? styleText(style, text, { validateStream: false }) : text;
}

/** Columns that an indented text has at least; below it the terminal itself breaks the lines. */
const leastWidth = 20;

/**
 * Lines for people, broken between words where the terminal ends; not broken where there is no terminal. All but the
 * first begin after an indent of so many columns, below a first line that has its head already.
 */
export async function wrapText(text: string, { isTTY, columns }: OutputStream, indent = 0): Promise<string> {
  const below = (lines: string) => lines.replaceAll('\n', `\n${' '.repeat(indent)}`);
  if (!isTTY || columns === undefined) return below(text);
  const { default: wrapAnsi } = await import('wrap-ansi');
  return below(wrapAnsi(text, Math.max(leastWidth, columns - indent)));
}
