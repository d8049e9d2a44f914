import type { Part } from '../../routes/route.js';
import { sourceOfPost } from './item-sources.js';
import type { PronetworkPost } from './objects.js';
import type { PostCard } from './post-card.js';
import type { PageName } from './urls.js';

export const postPart = (
  owner: PageName,
  posts: readonly PostCard[],
  rest: Omit<Part<PronetworkPost>, 'items' | 'ids'>,
): Part<PronetworkPost> => ({
  items: posts.map((one) => ({ item: one.post, source: sourceOfPost(one, owner), partial: one.partial })),
  ids: posts.map(({ key }) => key),
  ...rest,
});
