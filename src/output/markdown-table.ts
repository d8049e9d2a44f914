/** Returns a one-line cell. A bar would end it. */
const cell = (value: string | number) =>
  String(value)
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
