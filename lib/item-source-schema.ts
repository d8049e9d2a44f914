import * as z from 'zod';
import { object } from './object.js';
import { person } from './person.js';
import type { ItemSource } from './read/item-source.js';

const textOrNull = (description: string) => z.string().min(1).nullable().describe(description);

/** An entry of `sources`, as OpenAPI, the tools and the files know it. */
export const itemSource = object(() => ({
  id: textOrNull('The platform’s ID of the item.'),
  url: textOrNull('Public URL at which a person sees the item.'),
  author: object(() => ({
    id: textOrNull('The platform’s ID of the author.').register(person, { of: ['author'], as: 'name' }),
    handle: textOrNull('Handle, without @.').register(person, { of: ['author', 'username'], as: 'name' }),
    name: textOrNull('Name that the page shows.').register(person, { of: ['author'], as: 'name' }),
    url: textOrNull('Public page of the author.').register(person, {
      of: ['author', 'username'],
      as: 'name',
    }),
  }))
    .nullable()
    .describe('Who published it; null for places and profiles, and if the page does not say.'),
  position: z.int().min(1).describe('Position in the list, from 1, counted over all its pages.'),
  fetched_at: z.iso.datetime().describe('When the page was fetched.'),
  route: textOrNull('The place that it was read from, as `coverage.routes` names it.'),
})).meta({ id: 'item_source' }) satisfies z.ZodType<ItemSource>;
