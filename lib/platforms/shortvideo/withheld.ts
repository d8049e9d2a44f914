import { ExtractError } from '../../errors/extract-error.js';
import { complete } from '../../read/complete.js';
import { at, parseJson } from '../../read/json.js';
import type { PageSession } from '../../web/page-source.js';
import { home, videoUrl } from './urls.js';

/** Address of the platform's oEmbed answer about a video, 1-2 KB. */
const oembedUrl = (id: string) => `${home}/oembed?url=${encodeURIComponent(videoUrl(id))}`;

/** Statuses of an oEmbed answer about a video that is gone. */
const goneStatuses: ReadonlySet<number> = new Set([400, 404, 410]);

/**
 * The outcome of a video page's “item doesn't exist” (10204). The platform says the same of a missing video and of
 * one that it withholds here (reported since 2020). Its oEmbed answer is 200 for the one and 400 for the other.
 * Without such an answer nobody knows which it is.
 */
export async function missingVideo(id: string, session: PageSession): Promise<ExtractError> {
  const { items } = await complete<boolean | null>(
    [null],
    () => true,
    async () => {
      const page = await session.fetch({ url: oembedUrl(id) });
      if (goneStatuses.has(page.status)) return false;
      const isOwn =
        page.status === 200 && at(parseJson(page.text(), 'The answer'), 'embed_product_id') === id;
      return isOwn ? true : null;
    },
  );
  if (items[0] === false) {
    return new ExtractError(
      'video_not_found',
      `There is no video ${id}, or it is not available in this location.`,
    );
  }
  return items[0] === true
    ? new ExtractError('platform_restricted', `The video ${id} exists but is not available in this location.`)
    : new ExtractError(
        'platform_unavailable',
        `The page says that there is no video ${id}, as it says of withheld ones, and the platform’s oEmbed answer, which tells them apart, could not be read.`,
      );
}
