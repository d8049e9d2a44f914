import { anywhere } from '../../read/json.js';

/** A feature id, or a place_id of the kind that encodes one. */
const placeIds = /0x[\da-f]{1,16}:0x[\da-f]{1,16}|ChIJ[\w-]{23}/i;

/**
 * True if a part of an answer mentions a place anywhere. Rows that have moved still contain the ids of their places.
 */
export const namesPlace = (part: unknown) =>
  anywhere(part, (value) => typeof value === 'string' && placeIds.test(value));
