import { ExtractError } from '../../errors/extract-error.js';
import { noUsername } from '../../params/no-username.js';
import { pageUrl, text } from '../../params/vocabulary.js';
import { parseWebAddress } from '../../params/web-address.js';
import { person } from '../../person.js';
import { site } from './site.js';

/** Where pages are asked for: the bare host answers some of them with 400 (2026-09). */
export const home = 'https://www.tiktok.com';

const shortHosts: ReadonlySet<string> = new Set(['vm.tiktok.com', 'vt.tiktok.com']);
const siteHosts: ReadonlySet<string> = new Set(site.hosts.filter((host) => !shortHosts.has(host)));

/** The platform's internal id of an account, which its addresses take in place of a name. No page is known by it. */
const internalId = /^MS4wLjAB[\w-]{17,}$/;

const internalIdText = (id: string) =>
  `${id.slice(0, 12)}… is an internal ID of TikTok, not a username. Open the profile, and take the name that stands behind the @.`;

/** Handle as the platform asks for it: without @, lower case. Throws `invalid_parameter`. */
export function normalUsername(text: string): string {
  const given = text.replace(/^@/, '');
  if (internalId.test(given)) throw new ExtractError('invalid_parameter', internalIdText(given));
  const name = given.toLowerCase();
  // A name of dots alone would be a step up in the path.
  if (!/^(?!\.+$)[\p{L}\p{N}\p{M}._-]{1,64}$/u.test(name)) {
    throw new ExtractError('invalid_parameter', noUsername(text, 'letters, digits, _ and .'));
  }
  return name;
}

/** Pages below an account's that are a post's. */
const postWords: ReadonlySet<string | undefined> = new Set(['video', 'photo']);

/** The parts of a path, without the language that may stand before them, and with @ where it is encoded. */
function partsOf({ pathname }: URL): readonly string[] {
  const parts = pathname.split('/').filter((part) => part !== '' && part !== 'embed');
  const [first = '', ...rest] = parts;
  const own = rest.length > 0 && /^[a-z]{2}(?:-[a-z]{2})?$/i.test(first) ? rest : parts;
  return own.map((part) => part.replace(/^%40/, '@'));
}

/** Handle that the address of an account's page names, as it stands there: its profile, or what is live. Or null. */
function handleInUrl(text: string): string | null {
  const url = parseWebAddress(text);
  if (url === null || !siteHosts.has(url.hostname)) return null;
  const [handle, page] = partsOf(url);
  return handle?.startsWith('@') === true && !postWords.has(page) ? handle.slice(1) : null;
}

/** Handle that an account's page names, or null. */
export function usernameOfUrl(text: string): string | null {
  const handle = handleInUrl(text);
  try {
    return handle === null ? null : normalUsername(decodeURIComponent(handle));
  } catch {
    return null;
  }
}

/** An account as it was asked for. By its handle, or by a link that the reader has to follow. */
export type AccountReference = { readonly username: string } | { readonly link: string };

/** Addresses that lead to an account by a number, which only the platform knows. */
const accountLink = /^\/(?:h5\/share\/usr|share\/user)\/\d{5,22}(?:\.html)?\/*$/;

/** The account that an address names. Throws `invalid_url`. */
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

const asked = { of: ['username'], as: 'name' } as const;

/** The parameters that name an account. */
export const accountParams = () => ({
  username: text('Handle without the leading @; case does not matter.').register(person, asked),
  url: pageUrl('URL of the profile page, or a short link to it.').register(person, asked),
});

/** The parameters that name a video. */
export const videoParams = () => ({
  url: pageUrl('URL of the video or photo post in any form, or a short link to it.'),
  id: text('ID of the video.'),
});

/** The account that the parameters `username` and `url` name. Throws `invalid_url` or `invalid_parameter`. */
export function accountOf({
  username,
  url,
}: {
  username?: string | undefined;
  url?: string | undefined;
}): AccountReference {
  return username === undefined ? accountOfUrl(url ?? '') : { username: normalUsername(username) };
}

/** True for a video's id: a decimal number of 19 digits today, 15 to 22 to be safe. */
export function isVideoId(text: string): boolean {
  return /^[1-9]\d{14,21}$/.test(text);
}

/** The ways in which an address names a video; a photo post is a video with pictures. */
const videoPaths: readonly RegExp[] = [
  /^(?:\/[a-z]{2}(?:-[a-z]{2})?)?(?:\/(?:@|%40)[^/]*)?\/(?:video|photo)\/(\d+)\/*$/i,
  /^\/(?:i18n\/)?share\/(?:video|photo)\/(\d+)\/*$/,
  /^\/h5\/share\/item\/(\d+)(?:\.html)?\/*$/,
  /^\/embed\/(?:v\d\/)?(\d+)\/*$/,
  /^\/player\/v1\/(\d+)\/*$/,
  /^\/v\/(\d+)(?:\.html)?\/*$/,
];

/** Id of the video that an address on the platform names, or null. */
export function videoIdOfUrl(address: string): string | null {
  const url = parseWebAddress(address);
  if (url === null || !siteHosts.has(url.hostname)) return null;
  // The stream of videos names the one that it begins with in its query. Other queries say nothing.
  const first = url.pathname === '/foryou' ? (url.searchParams.get('item_id') ?? '') : '';
  const ids = videoPaths.map((path) => path.exec(url.pathname)?.[1] ?? '');
  return [...ids, first].find(isVideoId) ?? null;
}

/** A short link in its own form, or null. Only the platform knows which video it leads to. */
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

/** A video as it was asked for. By its id, or by a short link that the reader has to follow. */
export type VideoReference =
  | { readonly id: string; readonly link: null }
  | { readonly id: null; readonly link: string };

/** The video that the parameters `url` and `id` name. Throws `invalid_url` or `invalid_parameter`. */
export function videoOf({ url, id }: { url?: string | undefined; id?: string | undefined }): VideoReference {
  if (id !== undefined) {
    if (isVideoId(id)) return { id, link: null };
    throw new ExtractError(
      'invalid_parameter',
      'The parameter id must be the number of a video, 15 to 22 digits, such as 7571863205253778710.',
    );
  }
  const named = videoIdOfUrl(url ?? '');
  if (named !== null) return { id: named, link: null };
  const link = shortLinkOf(url ?? '');
  if (link !== null) return { id: null, link };
  throw new ExtractError(
    'invalid_url',
    'The url must be a video or photo page, such as https://www.tiktok.com/@nasa/video/7571863205253778710, or a short link to one.',
  );
}

/** Address of a profile page. */
export const profileUrl = (username: string) => `${home}/@${encodeURIComponent(username)}`;

/** Address of a video's page: the handle in it is not looked at, and photo posts have one too (2026-09). */
export const videoUrl = (id: string) => `${home}/@_/video/${id}`;
