import { firstSurface, type Gap, type Site } from './page-source.js';

type ByPlatform = Readonly<Record<string, number | undefined>>;

export interface GapSettings {
  readonly paceMs: ByPlatform;
  readonly concurrency: ByPlatform;
}

/** Returns the pace of a surface: the site's, or the user's for the whole platform. */
export function gapOf(
  site: Pick<Site, 'platform' | 'surfaces'>,
  surface: string,
  { paceMs, concurrency }: GapSettings,
): Gap {
  const polite = site.surfaces[surface] ?? site.surfaces[firstSurface(site)];
  const ms = paceMs[site.platform] ?? polite?.ms ?? 0;
  return {
    ms,
    concurrency: concurrency[site.platform] ?? polite?.concurrency ?? 1,
    // A pace set by the user replaces every other limit.
    ...(polite?.perHour === undefined || paceMs[site.platform] !== undefined
      ? {}
      : { perHour: polite.perHour }),
  };
}
