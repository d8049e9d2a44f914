import type { Endpoint } from '../../../lib/endpoint.js';
import { search } from '../../../lib/platforms/shortvideo/search.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import { type Knockout, knockOut } from '../../support/knockout.js';
import { itemPaths, listPaths, withoutInItem, withoutInList } from './pages.js';

/** A field is gone where both the list and every video's own page are without it. */
const fields = Object.fromEntries(
  Object.entries(itemPaths).map(([field, paths]): [string, Knockout] => [
    field,
    {
      remove: (html, url) =>
        url.includes('/embed/')
          ? withoutInList(html, ...(listPaths[field] ?? []))
          : withoutInItem(html, ...paths),
    },
  ]),
);
const id: Knockout = { mandatory: true, remove: (html) => withoutInList(html, ['id']) };

await knockOut(videos as Endpoint, 'a window in two pages: pinned first, a photo post, no caption', {
  id,
  ...fields,
});
await knockOut(search as Endpoint, 'a hashtag in two pages', { id, ...fields });
