import * as z from 'zod';

/**
 * The place that a run over an area is centred on, and the cost of its look-up. A resumed run takes it from the
 * checkpoint: it is paid for, and the platform may find another place next time.
 */
export const lookedUp = z.strictObject({
  /** The words or the identifier that was looked up. */
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
