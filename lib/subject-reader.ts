/**
 * Turns names of a platform's subjects into comparable keys: `@nasa` for an account, `in/ada-lovelace` for the page of
 * a person or company, the platform's ID for everything else, and `name:jane doe` for a displayed name.
 */
export interface SubjectReader {
  /**
   * Returns the keys of an address's subject, then of the account that it names. Empty for other sites, and for links
   * that only the platform can resolve.
   */
  ofAddress(address: string): readonly string[];
  /** Returns the keys of a typed word, or of a key, the canonical one first. */
  ofWord(word: string): readonly string[];
  /** Returns other spellings of a key in pages and data. */
  spellings?(key: string): readonly string[];
}

/** Returns the key of a displayed name. Case, Unicode composition and the width of spaces make no difference. */
export const nameKey = (name: string) =>
  `name:${name
    .replace(/^name:/i, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()}`;

/** Returns the key of a handle, with or without its @. */
export const handleKey = (handle: string) => `@${handle.replace(/^@/, '').normalize('NFC').toLowerCase()}`;

/** The platform's numeric IDs; a handle of digits must be typed with its @. */
export const isNumber = (word: string) => /^\d{1,30}$/.test(word);

export function orNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
