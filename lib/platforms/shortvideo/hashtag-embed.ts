import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { countOrNull, textOrEmpty } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page, PageRequest } from '../../web/page-source.js';
import { embedNode, listedVideos } from './embed-state.js';
import type { ShortvideoVideo } from './objects.js';
import { home } from './urls.js';

const pathOf = (tag: string) => `/embed/tag/${encodeURIComponent(tag)}`;

export const hashtagEmbed = (tag: string): PageRequest => ({ url: home + pathOf(tag) });

export const normalizeText = (text: string) => text.normalize('NFC').toLowerCase();

/** Returns the hashtag of a query: one word of letters, digits and _, with or without #; else null. */
export function hashtagOf(query: string): string | null {
  return /^#?([\p{L}\p{N}\p{M}_]{1,100})$/u.exec(query)?.[1] ?? null;
}

interface EmbeddedHashtag {
  readonly videos: readonly Located<ShortvideoVideo>[];
  /** The page's own count of videos. */
  readonly total: number | null;
}

/** Reads the videos on a hashtag's embed page, in the page's order. Throws `hashtag_not_found`. */
export function readHashtagEmbed(page: Page, tag: string): EmbeddedHashtag {
  const node = embedNode(page, pathOf(tag), 'hashtag');
  if (node === undefined)
    throw refusal('unknown_layout', 'The embed page shows no list, and does not say why.');
  const info = at(node, 'embedInfo');
  const title = node === null ? '' : requireValue(textOrEmpty(at(info, 'title')), 'the name of its hashtag');
  if (title === '') {
    throw new ExtractError('hashtag_not_found', `The platform has no public list for the hashtag #${tag}.`);
  }
  if (normalizeText(title.replace(/^#/, '')) !== tag) {
    throw new ExtractError('platform_changed', `The list belongs to #${title}, not to #${tag}.`);
  }
  const videos = listedVideos(node);
  const total = countOrNull(at(info, 'videoCount'));
  const isUnused = total === 0 && countOrNull(at(info, 'viewCount')) === 0;
  if (videos.length > 0 || isUnused) return { videos, total };
  throw new ExtractError(
    'platform_restricted',
    `The platform lists no videos of #${tag} to visitors who are not signed in.`,
  );
}
