import { ExtractError } from '../../../errors/extract-error.js';
import { intOrNull, textOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import type { PageSession } from '../../../web/page-source.js';
import {
  keywordListRequest,
  keywordPageSize,
  keywordSlug,
  plainSlug,
  readKeywordList,
} from '../keyword-list.js';
import type { ShortvideoVideo } from '../objects.js';
import type { SearchSubject } from './embed-hashtag.js';

/** An empty list means that the platform has no such page, not that there are no videos. */
const noPage = () =>
  new ExtractError(
    'platform_login_required',
    'TikTok has no public page for these words, and searches only for signed-in users. Try other words, or a single word.',
  );

const listAt = async (slug: string, offset: number, session: PageSession) =>
  readKeywordList(await session.fetch(keywordListRequest(slug, offset)));

/** Fetches the first part, by the words as typed, or else without accents. */
async function firstList(slug: string, session: PageSession) {
  const list = await listAt(slug, 0, session);
  const plain = list.videos.length > 0 ? null : plainSlug(slug);
  return plain === null ? { slug, list } : { slug: plain, list: await listAt(plain, 0, session) };
}

/** The list on TikTok's page for some keywords, in its own ranking. */
export const discover: Route<SearchSubject, Part<ShortvideoVideo>> = {
  name: 'discover',
  reads: 'The list of the page /discover/words, 16 videos a request, about 150 in all.',
  surface: 'discover',
  rows: 16,
  seen: { month: '2026-10', from: ['datacentre'] },
  async read({ identity: { query }, session, limit, part }) {
    const offset = intOrNull(at(part, 'offset')) ?? 0;
    const skip = intOrNull(at(part, 'skip')) ?? 0;
    const firstSlug = textOrNull(at(part, 'slug')) ?? keywordSlug(query);
    if (firstSlug === '') throw noPage();
    const { slug, list } =
      part === null
        ? await firstList(firstSlug, session)
        : { slug: firstSlug, list: await listAt(firstSlug, offset, session) };
    if (part === null && list.videos.length === 0) throw noPage();
    const rest = skip + limit < list.videos.length;
    const following = list.isEnd ? null : { slug, offset: offset + keywordPageSize, skip: 0 };
    return {
      items: list.videos.slice(skip, skip + limit),
      next: rest ? { slug, offset, skip: skip + limit } : following,
      emptyProof: { end: list.isEnd, leftOut: skip },
      ended: 'visitors',
      isComplete: true,
    };
  },
};
