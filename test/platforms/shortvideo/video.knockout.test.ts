import type { Endpoint } from '../../../lib/endpoint.js';
import { video } from '../../../lib/platforms/shortvideo/video.js';
import { type Knockout, knockOut } from '../../support/knockout.js';
import { itemPaths, withoutInItem } from './pages.js';

const fields = Object.entries(itemPaths).map(([field, paths]): [string, Knockout] => [
  field,
  { remove: (html) => withoutInItem(html, ...paths) },
]);

await knockOut(video as Endpoint, 'rich', {
  id: { mandatory: true, remove: (html) => withoutInItem(html, ['id']) },
  ...Object.fromEntries(fields),
});
