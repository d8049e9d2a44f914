import * as z from 'zod';

/** The requests to a platform on a day, by all processes of a data directory or a database. */
export const platformDay = z.strictObject({
  /** `shortvideo`; `shortvideo media` for its pictures and videos. */
  platform: z.string(),
  /** A day (UTC), such as 2026-11-26. */
  day: z.string(),
  /** Requests, those that were redirected or repeated included. A page that a browser opens is one. */
  requests: z.int(),
  /** Times that the platform refused, after each of which nobody asked for a while. */
  refusals: z.int(),
  /** Bytes of bodies, as they were sent. */
  bytes: z.int(),
  /** Milliseconds between the starts of two requests of a process, at least; null where none made two. */
  shortest_gap_ms: z.int().nullable(),
});

export type PlatformDay = Readonly<z.output<typeof platformDay>>;
