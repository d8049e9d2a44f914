import { ExtractError } from '../../../errors/extract-error.js';
import { at } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import { accountEmbed, readAccountEmbed } from '../account-embed.js';
import type { ShortvideoVideo } from '../objects.js';
import { privateAccount } from '../user-detail.js';
import { windowPart } from '../window.js';

/** Fields of a video that lists on embed pages lack. */
export const notListed = {
  create_time: 'never',
  duration: 'never',
  like_count: 'never',
  comment_count: 'never',
  share_count: 'never',
  favorites_count: 'never',
  hashtag_names: 'never',
  sound: 'never',
} as const;

/** The embed page with an account's newest videos. */
export const embedVideos: Route<string, Part<ShortvideoVideo>> = {
  name: 'embed',
  reads: 'The embed page of the account: its newest 8 to 13 videos, pinned ones first.',
  surface: 'embed',
  holds: 13,
  seen: { month: '2026-10', from: ['home', 'datacentre'] },
  fills: notListed,
  async read({ identity: username, session, limit, part }) {
    const { user, videos } = readAccountEmbed(await session.fetch(accountEmbed(username)), username);
    if (videos.length === 0 && at(user, 'privateAccount') === true) throw privateAccount(username);
    // An account that does not allow embedding shows none, either.
    if (videos.length === 0) {
      throw new ExtractError('platform_restricted', `The embed page of ${username} shows no videos.`);
    }
    return windowPart(videos, { limit, part }, null);
  },
};
