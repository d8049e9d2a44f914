import { idOrNull, textOrNull } from '../../read/convert.js';
import type { ObjectReading } from '../../routes/route.js';
import type { Page } from '../../web/page-source.js';
import { accountFromEmbed, embeddedProfile } from './embed.js';
import { sourceOfAccount } from './item-sources.js';
import { missingProfile } from './missing.js';
import type { PhotosocialProfile } from './objects.js';
import { find, type Source } from './page-data.js';
import { agreedCounts } from './page-meta.js';
import { profileObject } from './profile-object.js';
import { profileSubject, type RawProfile } from './profile-shapes.js';

export const isAccount = (username: string) => (raw: RawProfile) =>
  textOrNull(raw.username)?.toLowerCase() === username;

const withSource = (data: PhotosocialProfile, number: string | null): ObjectReading<PhotosocialProfile> => ({
  data,
  source: sourceOfAccount(number, data.username),
});

export function readProfile(page: Page, source: Source, username: string): ObjectReading<PhotosocialProfile> {
  const raw = find(page, source, profileSubject, missingProfile(username), isAccount(username));
  const profile = profileObject(raw);
  const counts = source === 'page' ? agreedCounts(page, profile) : {};
  return withSource({ ...profile, ...counts }, idOrNull(raw.id));
}

export function readEmbeddedProfile(page: Page, username: string): ObjectReading<PhotosocialProfile> {
  const raw = embeddedProfile(accountFromEmbed(page, username, missingProfile(username)));
  return withSource(profileObject(raw), idOrNull(raw.id));
}
