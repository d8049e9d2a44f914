import type { Endpoint } from '../../../lib/endpoint.js';
import { video } from '../../../lib/platforms/shortvideo/video.js';
import { type Knockout, knockOut } from '../../support/knockout.js';
import { embedPaths, itemPaths, withoutInEmbed, withoutInItem } from './pages.js';

const fields = Object.entries(itemPaths).map(([field, paths]): [string, Knockout] => [
  field,
  { remove: (html) => withoutInItem(html, ...paths) },
]);

await knockOut(video as Endpoint, 'rich', {
  id: { mandatory: true, remove: (html) => withoutInItem(html, ['id']) },
  ...Object.fromEntries(fields),
});

const ofEmbed = Object.entries(embedPaths).map(([field, paths]): [string, Knockout] => [
  field,
  { remove: (html) => withoutInEmbed(html, ...paths) },
]);

const id: Knockout = {
  mandatory: true,
  remove: (html) => withoutInEmbed(html, ['videoData', 'itemInfos', 'id']),
};

await knockOut(
  video as Endpoint,
  'the page waits: by the embed page',
  { id, ...Object.fromEntries(ofEmbed) },
  { never: ['favorites_count'], code: 'platform_blocked' },
);
