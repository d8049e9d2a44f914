/**
 * Characters of a page that must not reach a terminal: control characters (escape sequences begin with one) and those
 * that change the direction of text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsafe = /\r\n?|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Makes a text safe for a terminal: control characters other than line breaks become visible symbols. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\r\n' || character === '\r') return '\n';
    if (character === '\t') return '  ';
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '␡';
    return code < 0xa0 || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : '';
  });
}

/** Like `printable`, on one line. */
export function printableLine(text: string): string {
  return printable(text)
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .trim();
}

/** Escapes the control characters that JSON leaves unescaped. */
export function printableJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
