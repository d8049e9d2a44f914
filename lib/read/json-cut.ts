const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Index of the quote that ends the JSON text whose first character is at `from`, or -1. */
function endOfText(json: Buffer, from: number): number {
  let end = json.indexOf(quote, from);
  while (end >= 0) {
    let before = end - 1;
    while (before >= from && json[before] === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
    end = json.indexOf(quote, end + 1);
  }
  return -1;
}

/** Index after the object or list that begins at `from`, or -1 where it does not end. */
function endOfValue(json: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    switch (json[at]) {
      case quote:
        at = endOfText(json, at + 1);
        if (at < 0) return -1;
        break;
      case openBracket:
      case openBrace:
        depth += 1;
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
        if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * The object under a key of a JSON document in UTF-8, parsed without the rest. It serves pages whose data block is ten
 * times the wanted part. Undefined where that is not certain (the key stands there twice, or in another spelling, or
 * holds no object). Then the whole must be parsed. Certain, because a quoted key cannot occur within a JSON text: there
 * its quotes are escaped.
 */
export function objectOfKey(json: Uint8Array, key: string): unknown {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const quoted = JSON.stringify(key);
  const found = bytes.indexOf(quoted);
  if (found < 0 || bytes.indexOf(quoted, found + 1) >= 0) return undefined;
  const colon = found + Buffer.byteLength(quoted);
  return bytes[colon] === 0x3a ? objectFrom(bytes, colon + 1) : undefined;
}

/** The object that begins at an index of a JSON document; undefined where none does, or where it does not end. */
export function objectFrom(json: Buffer, from: number): unknown {
  const end = json[from] === openBrace ? endOfValue(json, from) : -1;
  if (end < 0) return undefined;
  try {
    return JSON.parse(json.toString('utf8', from, end)) as unknown;
  } catch {
    return undefined;
  }
}
