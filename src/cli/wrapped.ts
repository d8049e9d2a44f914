import type { OutputStream } from './context.js';

/** Lines for people, broken between words where the terminal ends; as they are where there is no terminal. */
export async function wrapText(text: string, { isTTY, columns }: OutputStream): Promise<string> {
  if (!isTTY || columns === undefined) return text;
  const { default: wrapAnsi } = await import('wrap-ansi');
  return wrapAnsi(text, columns);
}
