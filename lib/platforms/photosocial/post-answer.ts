import { ExtractError } from '../../errors/extract-error.js';
import { textOrNull } from '../../read/convert.js';
import type { Located } from '../../read/item-source.js';
import type { ObjectReading } from '../../routes/route.js';
import type { Page } from '../../web/page-source.js';
import { postFromEmbed } from './embed.js';
import { missingPost } from './missing.js';
import type { PhotosocialPost } from './objects.js';
import { type Missing, ofAnother } from './outcome.js';
import { find, type Source } from './page-data.js';
import { locatedPost } from './post-object.js';
import { postSubject } from './post-shapes.js';
import { isPost } from './shortcode.js';

const reading = ({ item, source }: Located<PhotosocialPost>): ObjectReading<PhotosocialPost> => ({
  data: item,
  source,
});

/** Reads a post from a page or document. Throws `platform_restricted`, in the platform's words, for a gated one. */
export function readPost(
  page: Page,
  source: Source,
  shortcode: string,
  missing: Missing = missingPost(shortcode),
): ObjectReading<PhotosocialPost> {
  const answer = find(page, source, postSubject, missing, (value) =>
    isPost({ code: postSubject.nameOf(value), id: undefined }, shortcode),
  );
  if ('post' in answer) return reading(locatedPost(answer.post));
  throw new ExtractError(
    'platform_restricted',
    answer.gate === '' ? undefined : `The platform says: ${answer.gate}`,
  );
}

export async function readEmbeddedPost(
  page: Page,
  shortcode: string,
): Promise<ObjectReading<PhotosocialPost>> {
  const raw = await postFromEmbed(page, missingPost(shortcode));
  if (!isPost({ code: raw.shortcode, id: undefined }, shortcode)) throw ofAnother(textOrNull(raw.shortcode));
  return reading(locatedPost(raw));
}
