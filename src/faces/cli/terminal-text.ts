import { styleText } from 'node:util';
import type { OutputStream } from './context.js';

type Style = Parameters<typeof styleText>[0];

/** Colours for lines that are too simple to be drawn; without colour the text comes back as it is. */
export function colorText(style: Style, text: string, color: boolean): string {
  // Whether there are colours is decided already, for this output and not for the process's own.
  return color ? styleText(style, text, { validateStream: false }) : text;
}

/** Lines for people, broken between words where the terminal ends; as they are where there is no terminal. */
export async function wrapText(text: string, { isTTY, columns }: OutputStream): Promise<string> {
  if (!isTTY || columns === undefined) return text;
  const { default: wrapAnsi } = await import('wrap-ansi');
  return wrapAnsi(text, columns);
}
