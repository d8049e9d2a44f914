import { ExtractError, invalidParameter } from '../../errors/extract-error.js';
import { noUsername } from '../../params/no-username.js';
import { pageUrl, text } from '../../params/vocabulary.js';
import { parseWebAddress } from '../../params/web-address.js';
import { person } from '../../person.js';
import { orNull } from '../../subject-reader.js';
import { publicCode, shortcodeOfId } from './shortcode.js';

export const home = 'https://www.instagram.com';
/** The site, including the country subdomains for search engines (`de.instagram.com`), and its old short name. */
const siteHost = /^(?:(?:(?:www|m|[a-z]{2}|[a-z]{2}-[a-z]{2})\.)?instagram\.com|(?:www\.)?instagr\.am)$/;

/** First path segments that belong to the platform, never to an account. */
const reserved: ReadonlySet<string> = new Set(
  'accounts explore direct stories about legal developer challenge api graphql web emails guest privacy p reel reels tv locations popular ajax query oauth data press share s ar qr'.split(
    ' ',
  ),
);

/** Returns a handle without @, in lower case. Throws `invalid_parameter`. */
export function normalUsername(text: string): string {
  const name = text.replace(/^@/, '').toLowerCase();
  // A name of only dots would be a step up in the path.
  if (!/^[a-z0-9._]{1,30}(?<!\.)$/.test(name) || reserved.has(name)) {
    throw invalidParameter(noUsername(text, 'up to 30 letters, digits, _ and .'));
  }
  return name;
}

/** A post's number followed by its owner's, as other programs export it: longer than a public code. */
const mediaId = /^[1-9]\d{14,19}(?:_\d{1,20})?$/;

function codeOf(text: string): string | null {
  if (mediaId.test(text)) return shortcodeOfId(text);
  return /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : null;
}

/** Returns a shortcode as the platform writes it; it is case-sensitive. Throws `invalid_parameter`. */
export function normalShortcode(text: string): string {
  const code = codeOf(text);
  if (code === null) {
    throw invalidParameter(
      'The parameter shortcode must be the part after /p/ or /reel/ in the URL of a post, such as DdG4RIxIPyf.',
    );
  }
  return code;
}

/**
 * Returns the canonical form of a hashtag or topic: without #, lower case, one space between words. Throws
 * `invalid_parameter`.
 */
export function normalTag(text: string): string {
  const tag = text.trim().replace(/^#/, '').replace(/\s+/g, ' ').normalize('NFC').toLowerCase();
  if (!/^(?! )(?!\.+$)[^#@/?%\\&<>"\p{Cc}\p{Cs}]{1,150}$/u.test(tag)) {
    throw invalidParameter('The parameter tag must be a hashtag, or the words of a topic.');
  }
  return tag;
}

const partsOf = (path: string) =>
  path
    .replaceAll(/%2E|%40/gi, decodeURIComponent)
    .split('/')
    .filter((part) => part !== '');

function pathOf(text: string): string[] | null {
  const url = parseWebAddress(text);
  // Links that lead away from the site carry their target.
  const target = url?.hostname === 'l.instagram.com' ? url.searchParams.get('u') : null;
  if (target !== null && URL.parse(target)?.hostname !== 'l.instagram.com') return pathOf(target);
  if (url?.hostname === 'ig.me' && url.pathname.startsWith('/m/')) return partsOf(url.pathname).slice(1, 2);
  if (url === null || !siteHost.test(url.hostname)) return null;
  // The login's address contains the page that the visitor wanted.
  const next = url.pathname.startsWith('/accounts/login') ? url.searchParams.get('next') : null;
  return partsOf(next === null ? url.pathname : (URL.parse(next, home)?.pathname ?? ''));
}

const postWords: ReadonlySet<string | undefined> = new Set(['p', 'reel', 'reels', 'tv']);

const profileTabs: ReadonlySet<string | undefined> = new Set(
  'posts reels reposts tagged highlights guides channel igtv feed live followers following info avatar embed'.split(
    ' ',
  ),
);

/** Tabs with further pages below them. */
const profileFolders: ReadonlySet<string | undefined> = new Set(['guide', 'saved']);

/** Returns the handle in the address of an account's page (profile, tab or stories), or null. */
export function usernameOfUrl(text: string): string | null {
  const [first, second, third] = pathOf(text) ?? [];
  const isOfAccount = (first === 'stories' && second !== 'highlights') || first === '_u';
  const name = isOfAccount ? second : first;
  const isTab =
    profileFolders.has(second) || (third === undefined && (second === undefined || profileTabs.has(second)));
  return name === undefined || !(isOfAccount || isTab) ? null : orNull(() => normalUsername(name));
}

/** An account's handle, or the address of a share link, which only the platform can resolve. */
export type AccountIdentity = { readonly username: string } | { readonly share: string };

function accountOfUrl(text: string): AccountIdentity {
  const username = usernameOfUrl(text);
  if (username !== null) return { username };
  const [first, second = '', third] = pathOf(text) ?? [];
  const [kind, code = ''] = third === undefined ? ['', second] : [`${second}/`, third];
  if (first === 'share' && (kind === '' || kind === 'profile/') && /^[\w-]{6,64}$/.test(code)) {
    return { share: `${home}/share/${kind}${code}/` };
  }
  throw new ExtractError(
    'invalid_url',
    'The url must be a profile page, such as https://www.instagram.com/natgeo/, or a share link to one.',
  );
}

export function accountOf({
  username,
  url,
}: {
  username?: string | undefined;
  url?: string | undefined;
}): AccountIdentity {
  return username === undefined ? accountOfUrl(url ?? '') : { username: normalUsername(username) };
}

/** A post's shortcode, or the address of a share link, which only the platform can resolve. */
export type PostIdentity = { readonly shortcode: string } | { readonly share: string };

export function postOfUrl(text: string): PostIdentity | null {
  const parts = pathOf(text) ?? [];
  const [first, second = '', third = ''] = parts;
  if (first === 'share') {
    const link = third === '' ? second : postWords.has(second) ? `${second}/${third}` : '';
    if (/^(?:[a-z]+\/[\w-]{1,64}|[\w-]{6,64})$/.test(link)) return { share: `${home}/share/${link}/` };
  }
  const code = codeOf(postWords.has(first) ? second : postWords.has(second) ? third : '');
  // The page of a sound has the same path form as posts.
  const isSound = code === 'audio' && third !== '';
  return code === null || isSound ? null : { shortcode: code };
}

/** Returns the handle before the post in its address, or null. */
export function accountOfPostUrl(text: string): string | null {
  const [first, second] = pathOf(text) ?? [];
  return first !== undefined && postWords.has(second) ? first.toLowerCase() : null;
}

/** True for an address of the account's profile page. */
export function isProfileAt(address: string, username: string): boolean {
  return usernameOfUrl(address) === username;
}

/** True for an address of the post, with or without the account before it. */
export function isPostAt(address: string, shortcode: string): boolean {
  const post = postOfUrl(address);
  return post !== null && 'shortcode' in post && publicCode(post.shortcode) === publicCode(shortcode);
}

/** True for an address of the hashtag's page, old or new. */
export function isTagAt(address: string, tag: string): boolean {
  const [first, second, third] = pathOf(address) ?? [];
  const name = first === 'popular' ? second : first === 'explore' && second === 'tags' ? third : undefined;
  try {
    return name !== undefined && slugOf(normalTag(decodeURIComponent(name))) === slugOf(tag);
  } catch {
    return false;
  }
}

const hint = { of: ['username'], as: 'name' } as const;

export const accountParams = () => ({
  username: text('Handle without the leading @; case does not matter.').register(person, hint),
  url: pageUrl('URL of the profile page, or a share link to it.').register(person, hint),
});

export const postParams = () => ({
  url: pageUrl(
    'URL of the post: /p/, /reel/ or /tv/, with or without the account before it, or a share link.',
  ),
  shortcode: text('Code of the post in its URL; case matters.'),
});

export function postIdentity(params: {
  url?: string | undefined;
  shortcode?: string | undefined;
}): PostIdentity {
  if (params.shortcode !== undefined) return { shortcode: normalShortcode(params.shortcode) };
  const post = postOfUrl(params.url ?? '');
  if (post !== null) return post;
  throw new ExtractError(
    'invalid_url',
    'The url must be the page of a post, such as https://www.instagram.com/p/DdG4RIxIPyf/.',
  );
}

export const profileUrl = (username: string) => `${home}/${username}/`;

export const profileEmbedUrl = (username: string) => `${home}/${username}/embed/`;

export const postUrl = (shortcode: string) => `${home}/p/${shortcode}/`;

export const postEmbedUrl = (shortcode: string) => `${home}/p/${shortcode}/embed/captioned/`;

/** Returns the embed page's address for the subject of a page; null for none. */
export function embedUrlOf(page: string): string | null {
  const post = postOfUrl(page);
  if (post !== null) return 'shortcode' in post ? postEmbedUrl(post.shortcode) : null;
  const username = usernameOfUrl(page);
  return username === null ? null : profileEmbedUrl(username);
}

/** Address of the oEmbed response, which shows whether the subject of a page exists. */
export const oembedUrl = (page: string) => `${home}/api/v1/oembed/?url=${encodeURIComponent(page)}`;

/** The address for sharing a post; reels have their own form. */
export const permalink = (shortcode: string, productType: string | null) =>
  productType === 'clips' ? `${home}/reel/${shortcode}/` : postUrl(shortcode);

const slugOf = (tag: string) => tag.replaceAll(' ', '-');

/** Address of the public page for a topic, to which /explore/tags/ redirects logged-out visitors since 2026. */
export const tagUrl = (tag: string) => `${home}/popular/${encodeURIComponent(slugOf(tag))}/`;
