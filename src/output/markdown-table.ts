/** A cell on one line: a bar would end it, and a paragraph is a sentence of it. */
const cell = (value: string | number) =>
  String(value)
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

/** A table as Markdown. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Code in a fence. */
export const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
