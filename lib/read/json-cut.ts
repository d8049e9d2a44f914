const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returns the index of the quote that ends the JSON string whose first character is at `from`, or -1. */
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

/** Returns the index after the object or list that starts at `from`, or -1 if it does not end. */
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
 * Returns the object under a key of a JSON document in UTF-8, without parsing the rest: a page's data block may be ten
 * times the size of the relevant part. Undefined if that is not certain: the key occurs twice, in another spelling, or
 * without an object. Then the document must be parsed in full. The result is reliable because a quoted key cannot occur
 * inside a JSON string, where its quotes would be escaped.
 */
export function objectOfKey(json: Uint8Array, key: string): unknown {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const quoted = JSON.stringify(key);
  const index = bytes.indexOf(quoted);
  if (index < 0 || bytes.indexOf(quoted, index + 1) >= 0) return undefined;
  const colon = index + Buffer.byteLength(quoted);
  return bytes[colon] === 0x3a ? objectFrom(bytes, colon + 1) : undefined;
}

/** Yields every object under a key of a document, up to one that does not end. */
export function* objectsOfKey(json: Buffer, key: string): Generator<unknown> {
  const mark = `${JSON.stringify(key)}:`;
  let from = 0;
  for (let index = json.indexOf(mark); index >= 0; index = json.indexOf(mark, from)) {
    from = index + mark.length;
    if (json[from] !== openBrace) continue;
    yield objectFrom(json, from);
    from = endOfValue(json, from);
    if (from < 0) return;
  }
}

/** Returns the object that starts at an index; undefined if none starts there, or if it does not end. */
export function objectFrom(json: Buffer, from: number): unknown {
  const end = json[from] === openBrace ? endOfValue(json, from) : -1;
  if (end < 0) return undefined;
  try {
    return JSON.parse(json.toString('utf8', from, end)) as unknown;
  } catch {
    return undefined;
  }
}
