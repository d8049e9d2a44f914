import { ExtractError, invalidParameter } from '../../errors/extract-error.js';
import { noUsername } from '../../params/no-username.js';
import { pageUrl, text } from '../../params/vocabulary.js';
import { parseWebAddress } from '../../params/web-address.js';
import { person } from '../../person.js';
import { orNull } from '../../subject-reader.js';
import { site } from './site.js';

/** Host for page requests; the bare host answers some with 400 (2026-09). */
export const home = 'https://www.tiktok.com';

const shortHosts: ReadonlySet<string> = new Set(['vm.tiktok.com', 'vt.tiktok.com']);
const siteHosts: ReadonlySet<string> = new Set(site.hosts.filter((host) => !shortHosts.has(host)));

/** The platform's internal ID of an account, which addresses accept instead of a name. It leads to no page. */
const internalId = /^MS4wLjAB[\w-]{17,}$/;

const internalIdText = (id: string) =>
  `${id.slice(0, 12)}… is an internal ID of TikTok, not a username. Open the profile, and use the name after the @.`;

/** Returns a handle without @, in lower case. Throws `invalid_parameter`. */
export function normalUsername(text: string): string {
  const handle = text.replace(/^@/, '');
  if (internalId.test(handle)) throw invalidParameter(internalIdText(handle));
  const name = handle.toLowerCase();
  // A name of only dots would be a step up in the path.
  if (!/^[\p{L}\p{N}\p{M}._-]{1,64}(?<!\.)$/u.test(name)) {
    throw invalidParameter(noUsername(text, 'letters, digits, _ and .'));
  }
  return name;
}

/** Segments below an account that belong to a post. */
const postWords: ReadonlySet<string | undefined> = new Set(['video', 'photo']);

/** Returns the segments of a path, without a leading language, and with @ decoded. */
function partsOf({ pathname }: URL): readonly string[] {
  const parts = pathname.split('/').filter((part) => part !== '' && part !== 'embed');
  const [first = '', ...rest] = parts;
  const path = rest.length > 0 && /^[a-z]{2}(?:-[a-z]{2})?$/i.test(first) ? rest : parts;
  return path.map((part) => part.replace(/^%40/, '@'));
}

/** Returns the handle in the address of an account's profile or live stream, unchanged, or null. */
function handleInUrl(text: string): string | null {
  const url = parseWebAddress(text);
  if (url === null || !siteHosts.has(url.hostname)) return null;
  const [handle, page] = partsOf(url);
  return handle?.startsWith('@') === true && !postWords.has(page) ? handle.slice(1) : null;
}

export function usernameOfUrl(text: string): string | null {
  const handle = handleInUrl(text);
  return handle === null ? null : orNull(() => normalUsername(decodeURIComponent(handle)));
}

/** An account by its handle, or by a link that the reader has to follow. */
export type AccountReference = { readonly username: string } | { readonly link: string };

/** Addresses with an account's number, which only the platform can resolve. */
const accountLink = /^\/(?:h5\/share\/usr|share\/user)\/\d{5,22}(?:\.html)?\/*$/;

function accountOfUrl(text: string): AccountReference {
  const username = usernameOfUrl(text);
  if (username !== null) return { username };
  const handle = handleInUrl(text);
  if (handle !== null && internalId.test(handle))
    throw new ExtractError('invalid_url', internalIdText(handle));
  const url = parseWebAddress(text);
  const isByNumber = url !== null && siteHosts.has(url.hostname) && accountLink.test(url.pathname);
  const link = isByNumber ? `https://${url.hostname}${url.pathname}` : shortLinkOf(text);
  if (link !== null) return { link };
  throw new ExtractError(
    'invalid_url',
    'The url must be a profile page, such as https://www.tiktok.com/@nasa, or a short link to one.',
  );
}

const hint = { of: ['username'], as: 'name' } as const;

export const accountParams = () => ({
  username: text('Handle without the leading @; case does not matter.').register(person, hint),
  url: pageUrl('URL of the profile page, or a short link to it.').register(person, hint),
});

export const videoParams = () => ({
  url: pageUrl('URL of the video or photo post in any form, or a short link to it.'),
  id: text('ID of the video.'),
});

/** Returns the account in the parameters `username` and `url`. Throws `invalid_url` or `invalid_parameter`. */
export function accountOf({
  username,
  url,
}: {
  username?: string | undefined;
  url?: string | undefined;
}): AccountReference {
  return username === undefined ? accountOfUrl(url ?? '') : { username: normalUsername(username) };
}

/** True for a video's ID: a decimal number, 19 digits today, 15 to 22 accepted. */
export function isVideoId(text: string): boolean {
  return /^[1-9]\d{14,21}$/.test(text);
}

/** Forms of video addresses. A photo post is a video with pictures. */
const videoPaths: readonly RegExp[] = [
  /^(?:\/[a-z]{2}(?:-[a-z]{2})?)?(?:\/(?:@|%40)[^/]*)?\/(?:video|photo)\/(\d+)\/*$/i,
  /^\/(?:i18n\/)?share\/(?:video|photo)\/(\d+)\/*$/,
  /^\/h5\/share\/item\/(\d+)(?:\.html)?\/*$/,
  /^\/embed\/(?:v\d\/)?(\d+)\/*$/,
  /^\/player\/v1\/(\d+)\/*$/,
  /^\/v\/(\d+)(?:\.html)?\/*$/,
];

/** Returns the ID of the video in an address on the platform, or null. */
export function videoIdOfUrl(address: string): string | null {
  const url = parseWebAddress(address);
  if (url === null || !siteHosts.has(url.hostname)) return null;
  // The feed has its first video in its query. Other queries say nothing.
  const first = url.pathname === '/foryou' ? (url.searchParams.get('item_id') ?? '') : '';
  const ids = videoPaths.map((path) => path.exec(url.pathname)?.[1] ?? '');
  return [...ids, first].find(isVideoId) ?? null;
}

/** Returns a short link in its canonical form, or null. Only the platform can resolve it to a video. */
function shortLinkOf(address: string): string | null {
  const url = parseWebAddress(address);
  if (url === null) return null;
  const isShort = shortHosts.has(url.hostname);
  if (!isShort && !siteHosts.has(url.hostname)) return null;
  const path = isShort ? /^\/([\w-]{4,32})\/*$/ : /^\/t\/([\w-]{4,32})\/*$/;
  const code = path.exec(url.pathname)?.[1];
  if (code === undefined) return null;
  return isShort ? `https://${url.hostname}/${code}/` : `${home}/t/${code}/`;
}

/** A video by its ID, or by a short link that the reader has to follow. */
export type VideoReference =
  | { readonly id: string; readonly link: null }
  | { readonly id: null; readonly link: string };

/** Returns the video in the parameters `url` and `id`. Throws `invalid_url` or `invalid_parameter`. */
export function videoOf({ url, id }: { url?: string | undefined; id?: string | undefined }): VideoReference {
  if (id !== undefined) {
    if (isVideoId(id)) return { id, link: null };
    throw invalidParameter(
      'The parameter id must be the number of a video, 15 to 22 digits, such as 7571863205253778710; shortvideo/videos lists the videos of an account.',
    );
  }
  const videoId = videoIdOfUrl(url ?? '');
  if (videoId !== null) return { id: videoId, link: null };
  const link = shortLinkOf(url ?? '');
  if (link !== null) return { id: null, link };
  throw new ExtractError(
    'invalid_url',
    'The url must be a video or photo page, such as https://www.tiktok.com/@nasa/video/7571863205253778710, or a short link to one.',
  );
}

export const profileUrl = (username: string) => `${home}/@${encodeURIComponent(username)}`;

/** The handle in a video's address is ignored, and photo posts have one, too (2026-09). */
export const videoUrl = (id: string) => `${home}/@_/video/${id}`;
