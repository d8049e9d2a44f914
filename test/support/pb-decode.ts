/** A token as text, or a group with its members. Parsed independently of the code that writes `pb` texts. */
export type Decoded = string | { readonly field: number; readonly members: readonly Decoded[] };

function take(tokens: readonly string[], from: number, count: number): [Decoded[], number] {
  const parts: Decoded[] = [];
  let index = from;
  while (index < from + count) {
    const token = tokens[index] ?? '';
    const group = /^(\d+)m(\d+)$/.exec(token);
    index += 1;
    if (group === null) {
      if (!/^\d+[sdfiebyz]/.test(token)) throw new Error(`no token: ${token}`);
      parts.push(token);
      continue;
    }
    const members = Number(group[2]);
    if (index + members > from + count) throw new Error(`the group ${token} overruns the one around it`);
    const [inside, end] = take(tokens, index, members);
    if (end !== index + members) throw new Error(`the group ${token} has another number of tokens`);
    parts.push({ field: Number(group[1]), members: inside });
    index = end;
  }
  return [parts, index];
}

/** Parses a complete `pb` text. Throws for a wrong count or an invalid token. */
export function decodePb(text: string): Decoded[] {
  if (text === '') return [];
  if (!text.startsWith('!')) throw new Error('a pb begins with !');
  const tokens = text.slice(1).split('!');
  return take(tokens, 0, tokens.length)[0];
}
