import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours for lines that are too simple to be drawn; without colour the text comes back as it is. */
export function styled(style: Style, text: string, color: boolean): string {
  // Whether there are colours is decided already, for this output and not for the process's own.
  return color ? styleText(style, text, { validateStream: false }) : text;
}
