import { site as maps } from './platforms/maps/site.js';
import { site as photosocial } from './platforms/photosocial/site.js';
import { site as pronetwork } from './platforms/pronetwork/site.js';
import { site as shortvideo } from './platforms/shortvideo/site.js';

/** The one list of platforms, in the contract's order. A site is data alone: listing the platforms loads no reader. */
export const sites = [maps, pronetwork, photosocial, shortvideo] as const;

/** A platform, as paths and settings name it. */
export type Platform = (typeof sites)[number]['platform'];

/** Names of the platforms, from which settings, commands and the restrictions of API keys are derived. */
export const platforms: readonly Platform[] = sites.map(({ platform }) => platform);

/** The name that people know a platform by: TikTok for `shortvideo`. */
export function brandOf(platform: Platform): string {
  return sites.find((site) => site.platform === platform)?.brand ?? platform;
}

/** The names that people know, as a sentence lists them. */
export const brandList = sites
  .map(({ brand }) => brand)
  .join(', ')
  .replace(/, ([^,]*)$/, ' and $1');

/** Returns the platform of a word: the contract's, or a common name such as `tiktok`. Undefined for any other. */
export function platformOf(word: string): Platform | undefined {
  const typed = word.toLowerCase();
  return sites.find(({ platform, alias }) => platform === typed || alias === typed)?.platform;
}

/** The path of an endpoint in the contract's words: `shortvideo/profile` for `tiktok/profile`. */
export function contractPath(path: string): string {
  const [word = '', ...rest] = path.split('/');
  return [platformOf(word) ?? word, ...rest].join('/');
}
