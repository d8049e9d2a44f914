/** TypeScript takes an @ after a space for a tag; between backticks it is text. */
const withoutTags = (text: string) => text.replace(/(?<=^|\s)@[^\s.,;)]*/g, '`$&`').replaceAll('*/', '*\\/');

/** Formats paragraphs and tags as a comment that editors show. */
export function jsdoc(paragraphs: readonly string[], tags: readonly string[] = []): string {
  const lines = paragraphs.flatMap((text, index) => [
    ...(index === 0 ? [] : ['']),
    ...withoutTags(text).split('\n'),
  ]);
  if (tags.length > 0) lines.push('', ...tags);
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ['/**', ...lines.map((line) => (line === '' ? ' *' : ` * ${line}`)), ' */'].join('\n');
}
