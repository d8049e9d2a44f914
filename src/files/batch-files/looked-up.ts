import * as z from 'zod';

/**
 * The place that a run over an area was begun around, and what its look-up cost. A run that is taken up again has
 * it from its checkpoint: it is paid for once, and the platform may find another place the next time.
 */
export const lookedUp = z.strictObject({
  /** The words or the identifier that it was looked up by. */
  asked: z.string(),
  charged: z.int().min(0),
  place: z.strictObject({
    place_id: z.string(),
    name: z.string(),
    formatted_address: z.string().nullable(),
    location: z.strictObject({ lat: z.number(), lng: z.number() }),
    rating: z.number().nullable(),
    user_ratings_total: z.number().nullable(),
  }),
});
export type LookedUp = z.output<typeof lookedUp>;
