import { site as maps } from './platforms/maps/site.js';
import { site as photosocial } from './platforms/photosocial/site.js';
import { site as pronetwork } from './platforms/pronetwork/site.js';
import { site as shortvideo } from './platforms/shortvideo/site.js';

/** The only list of platforms, in the contract's order. Sites are plain data: listing platforms loads no reader. */
export const sites = [maps, pronetwork, photosocial, shortvideo] as const;

/** A platform, as in paths and settings. */
export type Platform = (typeof sites)[number]['platform'];

export const platforms: readonly Platform[] = sites.map(({ platform }) => platform);

/** The common name of a platform: TikTok for `shortvideo`. */
export function brandOf(platform: Platform): string {
  return sites.find((site) => site.platform === platform)?.brand ?? platform;
}

/** The common names, as listed in a sentence. */
export const brandList = sites
  .map(({ brand }) => brand)
  .join(', ')
  .replace(/, ([^,]*)$/, ' and $1');

/** Returns the platform of a word: the contract's, or a common name such as `tiktok`. Undefined for any other. */
export function platformOf(word: string): Platform | undefined {
  const lower = word.toLowerCase();
  return sites.find(({ platform, alias }) => platform === lower || alias === lower)?.platform;
}

/** Returns an endpoint's path in the contract's words: `shortvideo/profile` for `tiktok/profile`. */
export function contractPath(path: string): string {
  const [word = '', ...rest] = path.split('/');
  return [platformOf(word) ?? word, ...rest].join('/');
}
