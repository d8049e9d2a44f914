import { type FeatureId, featureId, featureIdOf, placeIdOf } from '../../lib/platforms/maps/ids.js';
import { idOfShortcode, shortcodeOfId } from '../../lib/platforms/photosocial/shortcode.js';
import type { Platform } from '../../lib/platforms.js';

/** IDs that can be computed from one another, so they must be invented together. */
export interface LinkedIds {
  /** Matches such an ID in a text; null if the platform has none. */
  readonly pattern: string | null;
  /** Returns the invented ID. `digits` invents a number with the form of the given one. */
  invent(id: string, digits: (raw: string) => string): string;
  /** Returns the invented number for one that is part of such an ID, or null. */
  number(raw: string): string | null;
}

const none: LinkedIds = { pattern: null, invent: (id) => id, number: () => null };

/** Feature ID, place_id and cid of a place encode the same two numbers. */
function placeIds(random: () => number): LinkedIds {
  const halves = new Map<bigint, bigint>();
  const half = (number: bigint): bigint => {
    const linked = halves.get(number);
    if (linked !== undefined) return linked;
    const hex = number.toString(16);
    const rest = Array.from({ length: hex.length - 1 }, () => Math.floor(random() * 16).toString(16));
    const invented = number === 0n ? 0n : BigInt(`0x${hex[0]}${rest.join('')}`);
    halves.set(number, invented);
    return invented;
  };
  const inventFeature = (id: FeatureId) =>
    id
      .split(':')
      .map((text) => `0x${half(BigInt(text)).toString(16)}`)
      .join(':') as FeatureId;
  return {
    pattern: '0x[0-9a-fA-F]{1,16}:0x[0-9a-fA-F]{1,16}|ChIJ[\\w-]{23}',
    invent(text, digits) {
      const id = featureId(text);
      if (id !== null) return inventFeature(id);
      const feature = featureIdOf(text);
      return feature === null ? digits(text) : placeIdOf(inventFeature(feature));
    },
    number: (raw) =>
      /^[1-9]\d{16,19}$/.test(raw) && BigInt(raw) < 2n ** 64n ? half(BigInt(raw)).toString() : null,
  };
}

/** A post's shortcode is its number in another notation. */
function shortcodes(texts: readonly string[]): LinkedIds {
  const all = texts.join('\n');
  const postCodes = [
    ...all.matchAll(/(?:\\?"(?:short)?code\\?":\s*\\?"|\/(?:p|reel|tv)\\?\/)([\w-]{9,13})(?![\w-])/g),
  ];
  const fromNumbers = (all.match(/(?<!\d)\d{17,20}(?!\d)/g) ?? []).map((id) => shortcodeOfId(id) ?? '');
  const numbers = new Set([
    ...postCodes.map(([, code = '']) => code),
    ...fromNumbers.filter((code) => all.includes(code)),
  ]);
  const codes = [...numbers].filter((code) => /^\d{17,20}$/.test(idOfShortcode(code)));
  return {
    pattern: codes.length === 0 ? null : `(?<![\\w-])(?:${codes.join('|')})(?![\\w-])`,
    invent: (code, digits) => shortcodeOfId(digits(idOfShortcode(code))) ?? code,
    number: () => null,
  };
}

export function linkedIdsOf(platform: Platform, texts: readonly string[], random: () => number): LinkedIds {
  if (platform === 'maps') return placeIds(random);
  return platform === 'photosocial' ? shortcodes(texts) : none;
}
