import type * as z from 'zod';

/** A schema of the table. The published declarations have an interface in its place, as they refer to no package. */
export type Schema<Output = unknown> = z.ZodType<Output>;
