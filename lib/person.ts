import * as z from 'zod';

/**
 * How an answer names people: as authors or uploaders of an item, and as accounts, by handles, profiles and mentions.
 */
export const personGroups = ['author', 'username'] as const;
export type PersonGroup = (typeof personGroups)[number];

/**
 * Fields of objects and parameters that identify a person. `name`: a name, handle, ID or address of a page. `private`:
 * useless once names are hidden, such as the picture of a face. `account`: an object that is a person, identified by
 * its own ID and address.
 */
export const person = z.registry<{
  readonly of: readonly PersonGroup[];
  readonly as: 'name' | 'private' | 'account';
}>();
