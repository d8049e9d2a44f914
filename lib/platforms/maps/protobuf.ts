/**
 * The grammar of the platform's `pb` parameter: `!<field><type><value>`. A group's value (type `m`) is the number of
 * tokens in it, including nested ones. A wrong number gets a 400, so the numbers are computed.
 */

/** A token without its `!`, or a group. */
export type ProtobufPart = string | { readonly field: number; readonly members: readonly ProtobufPart[] };

export function m(field: number, ...members: readonly ProtobufPart[]): ProtobufPart {
  return { field, members };
}

/** A string token, with the two special characters escaped as the platform does. */
export function string(field: number, value: string): ProtobufPart {
  return `${field}s${value.replace(/[*!]/g, (sign) => (sign === '*' ? '*2A' : '*21'))}`;
}

/** A decimal token, never in exponent notation. */
export function double(field: number, value: number): ProtobufPart {
  const text = String(value);
  return `${field}d${text.includes('e') ? value.toFixed(7) : text}`;
}

export function int(field: number, value: number): ProtobufPart {
  return `${field}i${value}`;
}

function write(parts: readonly ProtobufPart[], tokens: string[]): void {
  for (const part of parts) {
    if (typeof part === 'string') {
      tokens.push(`!${part}`);
      continue;
    }
    const index = tokens.length;
    tokens.push('');
    write(part.members, tokens);
    tokens[index] = `!${part.field}m${tokens.length - index - 1}`;
  }
}

/** Formats the parameter, not yet percent-encoded. */
export function protobufText(parts: readonly ProtobufPart[]): string {
  const tokens: string[] = [];
  write(parts, tokens);
  return tokens.join('');
}
