import { idOrNull, textOrNull } from '../../read/convert.js';

/** The alphabet of shortcodes: base64url, most significant digit first, without padding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Shortcodes of private accounts' posts are the public code followed by 28 more characters. */
const privateTail = 28;

export function publicCode(shortcode: string): string {
  return shortcode.length > privateTail ? shortcode.slice(0, -privateTail) : shortcode;
}

/** Returns the decimal ID of a shortcode's post. The code must be in the alphabet. */
export function idOfShortcode(shortcode: string): string {
  let id = 0n;
  for (const character of publicCode(shortcode)) id = id * 64n + BigInt(alphabet.indexOf(character));
  return id.toString();
}

/** Returns the shortcode of a post's ID (decimal, without the owner's ID after `_`), or null for anything else. */
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

/** A post as identified by data: by its code, its ID, or both. */
export interface NamedPost {
  readonly code: unknown;
  readonly id: unknown;
}

/**
 * True if the data identifies the post with that shortcode. An ID that arrived as a JSON number has lost its last
 * digits.
 */
export function isPost({ code, id }: NamedPost, shortcode: string): boolean {
  const ownCode = textOrNull(code);
  if (ownCode !== null) return publicCode(ownCode) === publicCode(shortcode);
  if (typeof id === 'number') return id === Number(idOfShortcode(shortcode));
  return shortcodeOfId(idOrNull(id) ?? '') === publicCode(shortcode);
}
