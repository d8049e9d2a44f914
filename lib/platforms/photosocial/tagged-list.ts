import { textOrNull } from '../../read/convert.js';
import { at, type Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Part } from '../../routes/route.js';
import type { Page } from '../../web/page-source.js';
import { afterOf, endOf, refuseWithheld, withheldRest } from './list-part.js';
import { missingTag } from './missing.js';
import type { PhotosocialPost } from './objects.js';
import { notFound, outdatedDocument } from './outcome.js';
import { find, type Source } from './page-data.js';
import { hashtagSubject, isListOfTag } from './post-lists.js';
import { locatedPost } from './post-object.js';
import { emptyProofOf } from './raw-list.js';
import type { Tag } from './subject.js';
import { tagUrl } from './urls.js';

const brokenLink = /link you followed may be broken|page isn(?:'|’|&#0?39;)t available/i;

/** Reads the posts for a topic from a page or document. The current shape has an empty list for an unused tag. */
export function readTagged(
  page: Page,
  source: Source,
  tag: string,
  missing = missingTag(tag),
): Part<PhotosocialPost> {
  const list = find(page, source, hashtagSubject, missing, (hashtag) => isListOfTag(hashtag, tag));
  // A topic without a page gets one with status 200 that says so (2026-09).
  if (source === 'page' && list.items.length === 0 && brokenLink.test(page.text())) throw notFound(missing);
  if (list.shape !== 'P') refuseWithheld(list, 'the posts');
  // The older shapes continue for signed-in visitors only (since 2022), so the first part is also the last.
  const after = list.shape === 'P' ? afterOf(list) : null;
  return {
    items: list.items.map(locatedPost),
    next: after === null ? null : { after },
    emptyProof: emptyProofOf(list),
    ended: list.shape === 'P' ? endOf(list, list.items.length, null) : 'visitors',
  };
}

const ask = ({ guest, tag }: Tag, after: string | null) =>
  guest.document('hashtag', { keyword: tag, after }, tagUrl(tag));

export const firstTagged = async (subject: Tag): Promise<Part<PhotosocialPost>> =>
  readTagged(await ask(subject, null), 'document', subject.tag);

export async function nextTagged(subject: Tag, position: Json): Promise<Part<PhotosocialPost>> {
  const after = requireValue(textOrNull(at(position, 'after')), 'the place where its list continues');
  const page = await ask(subject, after);
  const part = readTagged(page, 'document', subject.tag, outdatedDocument('the next posts'));
  return part.items.length === 0 && part.next === null ? { ...part, ...withheldRest } : part;
}
