import { ExtractError } from '../../errors/extract-error.js';
import { boolOrNull, intOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { at } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page, PageRequest } from '../../web/page-source.js';
import { apiBody } from './api-body.js';
import { readListedItem } from './item-list.js';
import type { ShortvideoVideo } from './objects.js';
import { refuseByCode } from './outcome.js';
import { home } from './urls.js';

/** Videos per request, as the keyword's page requests them (2026). */
export const keywordPageSize = 16;

/** Returns the name of a keyword's page: letters and digits of any script, with - for spaces; "" without any. */
export const keywordSlug = (query: string) =>
  query
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}-]/gu, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');

/** Without accents; null if that makes no difference. */
export function plainSlug(slug: string): string | null {
  const plain = slug.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  return plain === slug || plain === '' ? null : plain;
}

/**
 * The request by which the page `/discover/<slug>` loads its videos. Lists differ by region. The page sends its
 * visitor's; this always sends the same.
 */
export const keywordListRequest = (slug: string, offset: number): PageRequest => ({
  url: `${home}/api/seo/kap/video_list/?appId=1233&count=${keywordPageSize}&keyword=${encodeURIComponent(slug)}&pageType=7&region=US&trafficType=0&offset=${offset}`,
  headers: {
    accept: 'application/json',
    referer: `${home}/discover/${encodeURIComponent(slug)}`,
  },
});

interface KeywordList {
  readonly videos: readonly Located<ShortvideoVideo>[];
  /** True if the platform says that no video follows. */
  readonly isEnd: boolean;
}

/**
 * Reads the response for a keyword's page (as three clients read it, 2026-10), whose items are the same as on video
 * pages. The platform returns an empty list for words without a page.
 */
export function readKeywordList(page: Page): KeywordList {
  const body = apiBody(page);
  const code = intOrNull(at(body, 'status_code')) ?? intOrNull(at(body, 'statusCode'));
  refuseByCode(code ?? 0, 'platform_changed', 'The platform answered as for a thing that is missing.');
  const rows = at(body, 'videoList');
  if (!Array.isArray(rows)) {
    throw new ExtractError('platform_changed', 'The answer lacks its list of videos.');
  }
  const hasMore = boolOrNull(at(body, 'hasMore'));
  const isEnd = rows.length === 0 || !requireValue(hasMore, 'the flag that says whether its list continues');
  const videos = new Map(rows.map(readListedItem).map((video) => [video.item.id, video]));
  return { videos: [...videos.values()], isEnd };
}
