import { styleText } from 'node:util';
import type { OutputStream } from './context.js';

type Style = Parameters<typeof styleText>[0];

/** Colours a simple line; without colour the text is unchanged. */
export function colorText(style: Style, text: string, color: boolean): string {
  // Whether to use colours has been decided for this output, not for the process's own.
  return color ? styleText(style, text, { validateStream: false }) : text;
}

/** Minimum width of indented text; below it the terminal itself breaks the lines. */
const leastWidth = 20;

/**
 * Wraps lines at the terminal's width, but not without a terminal. All lines but the first, which already has its
 * beginning, are indented by so many columns.
 */
export async function wrapText(text: string, { isTTY, columns }: OutputStream, indent = 0): Promise<string> {
  const below = (lines: string) => lines.replaceAll('\n', `\n${' '.repeat(indent)}`);
  if (!isTTY || columns === undefined) return below(text);
  const { default: wrapAnsi } = await import('wrap-ansi');
  return below(wrapAnsi(text, Math.max(leastWidth, columns - indent)));
}
