import type { Gap } from '../../lib/web/page-source.js';
import { Throttle, type ThrottleOptions } from '../../lib/web/throttle.js';
import { FakeClock } from './fake-clock.js';
import { uncounted } from './uncounted.js';

type Options = Partial<ThrottleOptions> & { readonly platform?: string };

/** Makes the throttle of a platform with these surfaces, whose first cool-down lasts a minute. */
export function throttleOf(
  surfaces: Readonly<Record<string, Gap>>,
  { platform = 'shortvideo', ...options }: Options = {},
): Throttle {
  const gap = (surface: string) => surfaces[surface] as Gap;
  const clock = new FakeClock();
  return new Throttle(
    { platform, surfaces },
    { gap, cooldownMs: 60_000, clock, counter: uncounted, ...options },
  );
}
