import type * as z from 'zod';

/** A schema of the table. The published declarations replace it with an interface, because they import no package. */
export type Schema<Output = unknown> = z.ZodType<Output>;
