import type { LocatedList } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { complete } from '../../read/complete.js';
import { intOrNull } from '../../read/convert.js';
import { type Located, locatedData } from '../../read/item-source.js';
import { at, type Json } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { fetchVideoPage } from './fetch-video-page.js';
import type { ShortvideoVideo } from './objects.js';
import { readVideo } from './video-page.js';

/**
 * Merges a video's list entry and its own page. The page has more and newer data. The file's address is the list's, as
 * that one is served without the page's cookies (2026-09).
 */
function mergeVideo(
  { item: listed, source }: Located<ShortvideoVideo>,
  { item: own, source: ownSource }: Located<ShortvideoVideo>,
): Located<ShortvideoVideo> {
  const video = {
    id: listed.id,
    video_description: own.video_description ?? listed.video_description,
    create_time: own.create_time,
    duration: own.duration,
    cover_image_url: own.cover_image_url ?? listed.cover_image_url,
    view_count: own.view_count ?? listed.view_count,
    like_count: own.like_count,
    comment_count: own.comment_count,
    share_count: own.share_count,
    favorites_count: own.favorites_count,
    hashtag_names: own.hashtag_names,
    sound: own.sound,
    play_url: listed.play_url ?? own.play_url,
  };
  return { item: video, source: ownSource.author === null ? { ...ownSource, ...source } : ownSource };
}

/** The videos that a page lists, and how many it counts where it lists none. */
export interface VideoWindow {
  readonly videos: readonly Located<ShortvideoVideo>[];
  readonly total: number | null;
}

/**
 * One page of a list that the platform publishes as a single window of about ten videos. It has `limit` of them, from
 * where the previous page ended. Each is completed from its own page as far as the platform allows that. The list goes
 * on beyond the window, for those whom its page shows it (`beyond`).
 */
export async function windowPage(
  { videos, total }: VideoWindow,
  {
    limit,
    position,
    session,
    beyond = false,
  }: { limit: number; position: Json; session: PageSession; beyond?: boolean | undefined },
): Promise<LocatedList<ShortvideoVideo>> {
  const from = intOrNull(at(position, 'skip')) ?? 0;
  const endsEarly = from + limit >= videos.length;
  const emptyProof = { total, leftOut: videos.length };
  if (endsEarly && beyond) return { data: [], sources: [], ids: [], next: null, endsEarly, emptyProof };
  const { items, whole } = await complete(
    videos.slice(from, from + limit),
    ({ item }) => Object.values(item).includes(null),
    async (video) => {
      const { id } = video.item;
      const own = readVideo(await fetchVideoPage(id, session), id);
      if (own === null) throw new ExtractError('video_not_found');
      return mergeVideo(video, own);
    },
  );
  const to = from + items.length;
  return {
    ...locatedData(items),
    ids: items.map(({ item }) => item.id),
    next: to < videos.length ? { skip: to } : null,
    brief: !whole,
    endsEarly,
    emptyProof,
  };
}
