/** A word as a shell of POSIX reads it back. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A word as the usual shell of a system reads it back. On Windows both of them take double quotes, and cmd nothing else. */
export function quotedFor(word: string, system: NodeJS.Platform = process.platform): string {
  if (system !== 'win32') return shellQuoted(word);
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** Parameter name → option name: radius_m → radius-m. */
export const kebabCase = (name: string) => name.replaceAll('_', '-');
