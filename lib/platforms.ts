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
