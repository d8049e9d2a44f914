import type { Part, Route } from '../../../routes/route.js';
import { hashtagEmbed, hashtagOf, readHashtagEmbed } from '../hashtag-embed.js';
import type { ShortvideoVideo } from '../objects.js';
import { windowPart } from '../window.js';
import { notListed } from './embed-videos.js';

export interface SearchSubject {
  readonly query: string;
}

export const embedHashtag: Route<SearchSubject, Part<ShortvideoVideo>> = {
  name: 'embed-tag',
  reads: 'The embed page of the hashtag: about ten of its videos. For one word.',
  surface: 'embed',
  holds: 10,
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  fills: notListed,
  applies: ({ query }) => hashtagOf(query) !== null,
  async read({ identity: { query }, session, limit, part }) {
    const { videos, total } = readHashtagEmbed(await session.fetch(hashtagEmbed(query)), query);
    return windowPart(videos, { limit, part }, total);
  },
};
