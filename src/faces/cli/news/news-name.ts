import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { bare } from '../../../../lib/params/describe.js';

/** Parses the name of `--new`. Throws commander's error of an argument. */
export function newsName(text: string): string {
  if (/^\w[\w.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be 1 to 64 letters, digits, “_”, “.” or “-”, beginning with none of the last two.',
  );
}

/** Parameters that `--new` sets where the user does not: the newest first, where an endpoint can sort so. */
export function newsDefaults({ params }: Endpoint): Readonly<Record<string, string>> {
  const sort = params.sort === undefined ? undefined : bare(params.sort);
  return sort instanceof z.ZodEnum && sort.options.includes('newest') ? { sort: 'newest' } : {};
}
