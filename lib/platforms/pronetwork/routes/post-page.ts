import type { ItemIdentity } from '../../../routes/complete-items.js';
import type { ObjectReading, Route } from '../../../routes/route.js';
import { activityIdOf } from '../activity-id.js';
import type { PronetworkPost } from '../objects.js';
import { pageRequest } from '../site.js';

export const postPage: Route<ItemIdentity, ObjectReading<PronetworkPost>> = {
  name: 'post-page',
  reads: 'The post’s own page.',
  surface: 'page',
  seen: { month: '2026-09', from: ['home'] },
  fills: { reaction_breakdown: 'some', repost_count: 'never', document: 'some', article: 'some' },
  async read({ identity: { id, url }, session }) {
    const { readPostPage } = await import('../post-page.js');
    const address = url ?? `https://www.linkedin.com/feed/update/${id}`;
    const page = await session.fetch(pageRequest(address));
    const data = readPostPage(page, activityIdOf(id) ?? id);
    return { data, source: { id, url, author: null } };
  },
};
