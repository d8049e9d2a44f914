export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a word for the usual shell of a system. On Windows both shells accept double quotes, and cmd nothing else. */
export function quotedFor(word: string, system: NodeJS.Platform = process.platform): string {
  if (system !== 'win32') return shellQuoted(word);
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** `radius_m` → `radius-m` */
export const kebabCase = (name: string) => name.replaceAll('_', '-');
