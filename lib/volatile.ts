import * as z from 'zod';

/**
 * Fields of objects that differ from reading to reading although nobody changed anything: counts that grow by themselves,
 * what holds for the moment of reading, and addresses of media, whose host and signature change.
 */
export const volatile = z.registry<{ readonly as: 'count' | 'moment' | 'media' }>();
