import * as z from 'zod';

/**
 * Fields that differ between readings although nothing was edited: growing counts, momentary values, and media URLs,
 * whose host and signature change.
 */
export const volatile = z.registry<{ readonly as: 'count' | 'moment' | 'media' }>();
