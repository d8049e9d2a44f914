import { ExtractError } from '../../errors/extract-error.js';
import { idOrNull, intOrNull, textOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import { anywhere, at, type Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Part } from '../../routes/route.js';
import type { Page, PageRequest, PageRequestByScript, PageSession } from '../../web/page-source.js';
import { apiBody, continuation } from './api-body.js';
import { sourceOfItem } from './item-sources.js';
import type { ShortvideoVideo } from './objects.js';
import { refuseByCode } from './outcome.js';
import { inProfilePage } from './page-requests.js';
import { home, isVideoId, profileUrl } from './urls.js';
import { readItem } from './video-item.js';

interface ItemList {
  readonly videos: readonly Located<ShortvideoVideo>[];
  /** In order. */
  readonly authors: readonly (string | null)[];
  /** Null at the end. */
  readonly next: string | null;
  /** True if the response says that nothing follows. */
  readonly end: boolean;
}

export function readListedItem(item: unknown): Located<ShortvideoVideo> {
  const id = requireValue(idOrNull(at(item, 'id')), 'the ID of a video');
  if (!isVideoId(id))
    throw new ExtractError('platform_changed', 'The list contains a video without a valid ID.');
  return { item: readItem(item, id), source: sourceOfItem(item, id) };
}

/**
 * Reads a response of `/api/post/item_list/` (`itemList`, `hasMore`) or `/api/search/item/full/` (`item_list`,
 * `has_more`), whose items are the same as on video pages (2026). Only pages can request it: without their signature it
 * is an empty 200.
 */
function readItemList(page: Page, cursor: string): ItemList {
  const body = apiBody(page);
  const code = intOrNull(at(body, 'statusCode')) ?? intOrNull(at(body, 'status_code'));
  // The account's page, read first, says whether it exists. A search has no account.
  refuseByCode(
    requireValue(code, 'a status code'),
    'platform_changed',
    'The platform answered as for an account that is missing.',
  );
  const items = at(body, 'itemList') ?? at(body, 'item_list') ?? null;
  const isMoved = items === null && anywhere(body, (value) => isVideoId(idOrNull(at(value, 'id')) ?? ''));
  if (isMoved || (items !== null && !Array.isArray(items))) {
    throw new ExtractError('platform_changed', 'The answer lacks its list of videos.');
  }
  const rows: readonly unknown[] = items ?? [];
  const flag = at(body, 'hasMore') ?? at(body, 'has_more');
  const { next, end } = continuation(flag, rows, idOrNull(at(body, 'cursor')));
  return {
    videos: rows.map(readListedItem),
    authors: rows.map((item) => textOrNull(at(item, 'author', 'uniqueId'))),
    next: next === cursor ? null : next,
    end,
  };
}

/** Parameters that mark a later part of a list. */
const laterPart = { cursor: /[?&]cursor=[1-9]/, offset: /[?&]offset=[1-9]/ } as const;

const cursorRequest = (
  cursor: string,
  name: keyof typeof laterPart,
): Pick<PageRequestByScript, 'from' | 'later' | 'holds' | 'gestures'> => ({
  ...(cursor === '0' ? {} : { from: { params: { [name]: cursor } } }),
  later: laterPart[name],
  holds: ['"createTime"'],
  gestures: { scroll: 'page' },
});

export const videoListRequest = (username: string, cursor: string): PageRequest => ({
  url: `${home}/api/post/item_list/?aid=1988&uniqueId=${encodeURIComponent(username)}&cursor=${cursor}`,
  browser: {
    holds: inProfilePage,
    pageRequest: {
      page: profileUrl(username),
      paths: ['/api/post/item_list'],
      ...cursorRequest(cursor, 'cursor'),
    },
  },
});

export const searchListRequest = (query: string, cursor: string): PageRequest => ({
  url: `${home}/api/search/item/full/?aid=1988&keyword=${encodeURIComponent(query)}&offset=${cursor}`,
  browser: {
    pageRequest: {
      page: `${home}/search/video?q=${encodeURIComponent(query)}`,
      paths: ['/api/search/item/full'],
      params: { keyword: query },
      ...cursorRequest(cursor, 'offset'),
    },
  },
});

/** Returns the next `limit` videos of such a list, and the authors of all videos received. */
export async function itemListPart(
  request: (cursor: string) => PageRequest,
  { limit, part, session }: { limit: number; part: Json; session: PageSession },
): Promise<Part<ShortvideoVideo> & { readonly authors: ItemList['authors'] }> {
  // A plain route's position has no cursor, so the continuation is found by the items already seen.
  const partCursor = textOrNull(at(part, 'cursor'));
  const cursor = partCursor ?? '0';
  const skip = partCursor === null ? 0 : (intOrNull(at(part, 'skip')) ?? 0);
  const { videos, authors, end, next } = readItemList(await session.fetch(request(cursor)), cursor);
  const rest = skip + limit < videos.length;
  const following = next === null ? null : { cursor: next, skip: 0 };
  return {
    items: videos.slice(skip, skip + limit),
    authors,
    next: rest ? { cursor, skip: skip + limit } : following,
    emptyProof: { end, leftOut: Math.min(skip, videos.length) },
    ended: end ? 'end' : 'unknown',
    isComplete: true,
  };
}
