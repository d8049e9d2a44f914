/** The values of lines of JSON. */
export const ndjsonValues = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Values as lines of JSON. */
export const ndjsonText = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
