export const captionsType = 'text/vtt';

const entities: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': ' ' },
  ...{ '&lrm;': '\u200e', '&rlm;': '\u200f' },
};

/** Removes the markup of a cue: voices, classes and times. */
const plain = (line: string) =>
  line
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm);/g, (name) => entities[name] ?? name)
    .trim();

/**
 * Returns the text of a WebVTT file, line by line, without lines that the next cue repeats. "" without text, null for
 * invalid WebVTT.
 */
export function spokenText(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    return null;
  }
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(text)) return null;
  const lines: string[] = [];
  for (const block of text.split(/\n{2,}/)) {
    const rows = block.split('\n');
    const timing = rows.findIndex((row) => row.includes('-->'));
    if (timing < 0) continue;
    for (const line of rows.slice(timing + 1).map(plain)) {
      if (line !== '' && line !== lines.at(-1)) lines.push(line);
    }
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
