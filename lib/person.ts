import * as z from 'zod';

/**
 * The two ways in which an answer names people: as those who wrote or uploaded an item, and as accounts, by their
 * handles, profiles and mentions.
 */
export const personGroups = ['author', 'username'] as const;
export type PersonGroup = (typeof personGroups)[number];

/**
 * Fields of objects and parameters that tell who a person is. `name`: a name, handle, ID or address of a page.
 * `private`: what has no use once names are hidden, such as the picture of a face. `account`: an object that is a
 * person, whose own ID and address name it.
 */
export const person = z.registry<{
  readonly of: readonly PersonGroup[];
  readonly as: 'name' | 'private' | 'account';
}>();
