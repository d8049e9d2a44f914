import { invalidParameter } from '../errors/extract-error.js';
import { subjectReaders as readers } from '../platforms/subject-readers.js';
import { type Platform, platformOf, platforms } from '../platforms.js';
import type { SubjectReader } from '../subject-reader.js';

/** A person, a place or a thing on a platform. */
export interface Subject {
  readonly platform: Platform;
  /** Identifies it: `@nasa`, `in/ada-lovelace`, an ID, `name:jane doe`. */
  readonly key: string;
}

export const subjectReader = (platform: Platform): SubjectReader => readers[platform];

/** Returns all keys of a subject; a place has two. */
export const subjectKeys = ({ platform, key }: Subject): readonly string[] => readers[platform].ofWord(key);

/** `shortvideo:@nasa` */
export const subjectText = ({ platform, key }: Subject) => `${platform}:${key}`;

/** Looks like an address: a host with a dot, then a path. */
const addressLike = /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)+\/)/i;

function ofAddress(address: string): Subject | null {
  for (const platform of platforms) {
    const [key] = readers[platform].ofAddress(address);
    if (key !== undefined) return { platform, key };
  }
  return null;
}

/**
 * Parses a subject as typed: the address of its page, or platform and name, `tiktok:@nasa`. Throws `invalid_parameter`.
 */
export function parseSubject(text: string): Subject {
  const plain = text.trim();
  const [, word = '', rest = ''] = /^([a-z]+):(?!\/\/)(.*)$/is.exec(plain) ?? [];
  const platform = platformOf(word);
  const name = platform === undefined ? plain : rest.trim();
  const isAddress = addressLike.test(name);
  const keys = isAddress ? ofAddress(name) : null;
  if (keys !== null && (platform === undefined || platform === keys.platform)) return keys;
  if (
    isAddress ||
    platform === undefined ||
    name.replace(/^(?:@|name:)/, '').trim() === '' ||
    name.length > 300
  ) {
    throw invalidParameter(
      `${JSON.stringify(plain.slice(0, 120))} names no subject. Give the address of the page, or the platform and a name: tiktok:@handle, linkedin:in/name, maps:ChIJ…, "maps:Name of a reviewer".`,
      {
        next: isAddress ? 'A short link does not name a subject: give the address that it leads to.' : '',
      },
    );
  }
  const [key] = readers[platform].ofWord(name);
  return { platform, key: key as string };
}
