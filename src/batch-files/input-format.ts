export const inputFormats = ['ndjson', 'csv', 'text'] as const;
export type InputFormat = (typeof inputFormats)[number];

/** The format that a file's name says; NDJSON where it says none. */
export function formatOfName(file: string): InputFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.txt$/i.test(file) ? 'text' : 'ndjson';
}
