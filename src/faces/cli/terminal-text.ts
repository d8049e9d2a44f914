import { styleText } from 'node:util';
import type { OutputStream } from './context.js';

type Style = Parameters<typeof styleText>[0];

/** Colours a line of text; returns it unchanged if `color` is false. */
export function colorText(style: Style, text: string, color: boolean): string {
  // The caller has decided on colours for this output.
  return color ? styleText(style, text, { validateStream: false }) : text;
}

/** Minimum width of indented text; below it the terminal breaks the lines. */
const leastWidth = 20;

/** Wraps lines at the terminal's width, if there is a terminal. All lines but the first are indented. */
export async function wrapText(text: string, { isTTY, columns }: OutputStream, indent = 0): Promise<string> {
  const below = (lines: string) => lines.replaceAll('\n', `\n${' '.repeat(indent)}`);
  if (!isTTY || columns === undefined) return below(text);
  const { default: wrapAnsi } = await import('wrap-ansi');
  const width = Math.max(leastWidth, columns - indent);
  // An indented line is a command, which is pasted as a whole.
  const wrapped = text.split('\n').map((line) => (line.startsWith('  ') ? line : wrapAnsi(line, width)));
  return below(wrapped.join('\n'));
}
