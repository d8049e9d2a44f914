import { idOrNull, textOrNull } from '../../read/convert.js';

/** The alphabet of shortcodes: base64url, the highest digit first, without padding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Posts of private accounts have the public code with 28 more characters behind it. */
const privateTail = 28;

/** The public part of a shortcode. */
export function publicCode(shortcode: string): string {
  return shortcode.length > privateTail ? shortcode.slice(0, -privateTail) : shortcode;
}

/** Id of the post that a shortcode names, as decimal digits; the code must be of the alphabet. */
export function idOfShortcode(shortcode: string): string {
  let id = 0n;
  for (const character of publicCode(shortcode)) id = id * 64n + BigInt(alphabet.indexOf(character));
  return id.toString();
}

/** Shortcode of a post's id (decimal digits, an owner's id behind `_` left out), or null for anything else. */
export function shortcodeOfId(id: string): string | null {
  const digits = /^(?:POLARIS_)?(\d{1,20})(?:_\d+)?$/.exec(id)?.[1];
  if (digits === undefined) return null;
  let rest = BigInt(digits);
  let code = '';
  while (rest > 0n) {
    code = alphabet.charAt(Number(rest % 64n)) + code;
    rest /= 64n;
  }
  return code === '' ? null : code;
}

/** A post as data names it: by its code, its id, or both. */
export interface NamedPost {
  readonly code: unknown;
  readonly id: unknown;
}

/** True where data names the post of a shortcode. An id that came as a JSON number has lost its last digits. */
export function isPost({ code, id }: NamedPost, shortcode: string): boolean {
  const named = textOrNull(code);
  if (named !== null) return publicCode(named) === publicCode(shortcode);
  if (typeof id === 'number') return id === Number(idOfShortcode(shortcode));
  return shortcodeOfId(idOrNull(id) ?? '') === publicCode(shortcode);
}
