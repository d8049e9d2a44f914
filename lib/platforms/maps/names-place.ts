import { anywhere } from '../../read/json.js';

/** A feature id, or a place_id of the kind that holds one. */
const placeIds = /0x[\da-f]{1,16}:0x[\da-f]{1,16}|ChIJ[\w-]{23}/i;

/** Whether a part of an answer names any place, wherever in it. Rows that moved still hold the ids of their places. */
export const namesPlace = (part: unknown) =>
  anywhere(part, (value) => typeof value === 'string' && placeIds.test(value));
