/**
 * The grammar of the platform's `pb` parameter: `!<field><type><value>`. A group's value (type `m`) is the number of
 * tokens that belong to it, nested ones included. A wrong number is answered with 400, so numbers are counted here and
 * never written.
 */

/** A token without its `!`, or a group. */
export type ProtobufPart = string | { readonly field: number; readonly members: readonly ProtobufPart[] };

/** A group of tokens. */
export function m(field: number, ...members: readonly ProtobufPart[]): ProtobufPart {
  return { field, members };
}

/** A text token; the two characters that have a meaning of their own are written as the platform writes them. */
export function string(field: number, value: string): ProtobufPart {
  return `${field}s${value.replace(/[*!]/g, (sign) => (sign === '*' ? '*2A' : '*21'))}`;
}

/** A decimal token, never in exponent form. */
export function double(field: number, value: number): ProtobufPart {
  const text = String(value);
  return `${field}d${text.includes('e') ? value.toFixed(7) : text}`;
}

/** A whole-number token. */
export function int(field: number, value: number): ProtobufPart {
  return `${field}i${value}`;
}

function write(parts: readonly ProtobufPart[], tokens: string[]): void {
  for (const part of parts) {
    if (typeof part === 'string') {
      tokens.push(`!${part}`);
      continue;
    }
    const place = tokens.length;
    tokens.push('');
    write(part.members, tokens);
    tokens[place] = `!${part.field}m${tokens.length - place - 1}`;
  }
}

/** Tokens and groups → the parameter's text, not yet percent-encoded. */
export function protobufText(parts: readonly ProtobufPart[]): string {
  const tokens: string[] = [];
  write(parts, tokens);
  return tokens.join('');
}
