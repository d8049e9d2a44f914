/**
 * The names of what a platform shows, as keys that are compared: `@nasa` for an account, `in/ada-lovelace` for a page of
 * people or companies, the platform's own ID for everything else, and `name:jane doe` for a name that pages show.
 */
export interface SubjectReader {
  /**
   * Keys of what an address leads to, then of the account that it names. Empty for an address of another site, and for a
   * link that only the platform can resolve.
   */
  ofAddress(address: string): readonly string[];
  /** Keys of a word that people give, or of a key. The first one stands for all. */
  ofWord(word: string): readonly string[];
  /** How else pages and data spell a key, where they do. */
  spellings?(key: string): readonly string[];
}

/** A name that pages show: case and composition of its letters, and how wide its spaces are, make no difference. */
export const nameKey = (name: string) =>
  `name:${name
    .replace(/^name:/i, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()}`;

/** The key of a handle, with or without its @. */
export const handleKey = (handle: string) => `@${handle.replace(/^@/, '').normalize('NFC').toLowerCase()}`;

/** True for the platform's own numbers; a handle of digits is typed with its @. */
export const isNumber = (word: string) => /^\d{1,30}$/.test(word);

/** The result of a parser, or null where it throws. */
export function orNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
