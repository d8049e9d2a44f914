import { ExtractError } from '../../../errors/extract-error.js';
import { textOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import type { Route } from '../../../routes/route.js';
import type { PageSession } from '../../../web/page-source.js';
import { apiBody } from '../api-body.js';
import type { VideoSubject } from '../short-link.js';
import { home, profileUrl, videoUrl } from '../urls.js';

/** Statuses of an oEmbed response about a deleted subject. */
const missingStatuses: ReadonlySet<number> = new Set([400, 404, 410]);

/** Queries the platform's oEmbed interface, 1-2 KB, about the page at an address. Throws if it does not know it. */
async function askAbout(url: string, product: string, session: PageSession, missing: ExtractError) {
  const page = await session.fetch({ url: `${home}/oembed?url=${encodeURIComponent(url)}` });
  if (missingStatuses.has(page.status)) throw missing;
  const productId = textOrNull(at(apiBody(page), 'embed_product_id'));
  if (productId?.toLowerCase() !== product) {
    throw new ExtractError('platform_changed', 'The oEmbed answer does not name the requested subject.');
  }
}

const oembed = {
  name: 'oembed',
  reads: 'The oEmbed interface: only whether the subject exists.',
  surface: 'oembed',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
} as const;

/** Whether a video exists, withheld here or not. */
export const oembedVideo: Route<VideoSubject, void> = {
  ...oembed,
  read: ({ identity: { id }, session }) =>
    askAbout(videoUrl(id), id, session, new ExtractError('video_not_found')),
};

/** Whether an account exists. */
export const oembedAccount: Route<string, void> = {
  ...oembed,
  read: ({ identity: username, session }) =>
    askAbout(profileUrl(username), username, session, new ExtractError('profile_not_found')),
};
