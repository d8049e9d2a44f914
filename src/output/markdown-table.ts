/** Returns a cell on one line. A bar would end it, and a paragraph becomes a sentence. */
const cell = (value: string | number) =>
  String(value)
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

/** Returns a table in Markdown. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns code in a fence. */
export const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
