import type { Endpoint } from '../../../lib/endpoint.js';
import { search } from '../../../lib/platforms/shortvideo/search.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import { type Knockout, knockOut, withoutPaths } from '../../support/knockout.js';
import { itemPaths, withoutInList, withoutVideoField } from './pages.js';

/** A field is missing only if it is absent from the list, every embed page and every video page. */
const fields = Object.fromEntries(
  Object.keys(itemPaths).map((field): [string, Knockout] => [
    field,
    { remove: (html, url) => withoutVideoField(html, url, field) },
  ]),
);
const id: Knockout = { mandatory: true, remove: (html) => withoutInList(html, ['id']) };

await knockOut(videos as Endpoint, 'a window in two pages: pinned first, a photo post, no caption', {
  id,
  ...fields,
});
await knockOut(search as Endpoint, 'a hashtag in two pages', { id, ...fields });

/** Of the rows of the list for a phrase, which are whole items. */
const inRows = (field: string): Knockout => ({
  remove: (json) =>
    withoutPaths(json, ...(itemPaths[field] ?? []).map((path) => ['videoList', '*', ...path])),
});

await knockOut(search as Endpoint, 'a phrase: the list of the page for these words', {
  id: { mandatory: true, remove: (json) => withoutPaths(json, ['videoList', '*', 'id']) },
  ...Object.fromEntries(Object.keys(itemPaths).map((field) => [field, inRows(field)])),
});
