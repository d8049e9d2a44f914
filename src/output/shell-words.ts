/** A word as a shell reads it back. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Parameter name → option name: radius_m → radius-m. */
export const kebabCase = (name: string) => name.replaceAll('_', '-');
