import * as z from 'zod';

/** The requests to a platform on one day, by all processes of a data directory or a database. */
export const platformDay = z.strictObject({
  /** `shortvideo`; `shortvideo media` for its pictures and videos. */
  platform: z.string(),
  /** A day (UTC), such as 2026-11-26. */
  day: z.string(),
  /** Requests, including redirects and retries. A page opened in a browser counts as one. */
  requests: z.int(),
  /** Times that the platform refused, each followed by a pause. */
  refusals: z.int(),
  /** Bytes of bodies, as transferred. */
  bytes: z.int(),
  /**
   * Shortest time in milliseconds between the starts of two requests of one process that share a pace, as those to one
   * surface do; null if no process made two.
   */
  shortest_gap_ms: z.int().nullable(),
});

export type PlatformDay = Readonly<z.output<typeof platformDay>>;
