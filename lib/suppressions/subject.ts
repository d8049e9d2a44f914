import { ExtractError } from '../errors/extract-error.js';
import { subjectReaders as readers } from '../platforms/subject-readers.js';
import { type Platform, platformOf, platforms } from '../platforms.js';
import type { SubjectReader } from '../subject-reader.js';

/** A person, a place or a thing on a platform. */
export interface Subject {
  readonly platform: Platform;
  /** The key that identifies it: `@nasa`, `in/ada-lovelace`, an ID, `name:jane doe`. */
  readonly key: string;
}

/** Returns the reader of a platform's names and addresses. */
export const subjectReader = (platform: Platform): SubjectReader => readers[platform];

/** Returns all keys of a subject. A place, for example, has two. */
export const subjectKeys = ({ platform, key }: Subject): readonly string[] => readers[platform].ofWord(key);

/** Formats a subject as one line: `shortvideo:@nasa`. */
export const subjectText = ({ platform, key }: Subject) => `${platform}:${key}`;

/** Matches text that looks like an address: a host with a dot, followed by a path. */
const addressLike = /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)+\/)/i;

function ofAddress(address: string): Subject | null {
  for (const platform of platforms) {
    const [key] = readers[platform].ofAddress(address);
    if (key !== undefined) return { platform, key };
  }
  return null;
}

/**
 * Parses a subject as people write it: the address of its page, or platform and name, `tiktok:@nasa`. Throws
 * `invalid_parameter`.
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
    throw new ExtractError(
      'invalid_parameter',
      `${JSON.stringify(plain.slice(0, 120))} names nobody. Give the address of the page, or the platform and a name: tiktok:@handle, linkedin:in/name, maps:ChIJ…, "maps:Name of a reviewer".`,
      {
        next: isAddress
          ? 'A short link says nothing until it is opened: give the address that it leads to.'
          : '',
      },
    );
  }
  const [key] = readers[platform].ofWord(name);
  return { platform, key: key as string };
}
