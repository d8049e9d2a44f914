import { ExtractError } from '../../errors/extract-error.js';
import { MissingClaim } from '../../routes/missing-claim.js';

/**
 * A page's claim that there is no such video (10204), which the platform also makes about withheld ones (since 2020).
 */
export const noVideo = (id: string) =>
  new MissingClaim('video_not_found', `There is no video ${id}, or it is not available in this location.`);

/** The error for a video that its pages call missing but oEmbed knows. */
export const withheldVideo = ({ id }: { readonly id: string }) =>
  new ExtractError('platform_restricted', `The video ${id} exists but is not available in this location.`);

/** The error for a video that its pages call missing, if oEmbed cannot be read. */
export const unconfirmedVideo = ({ id }: { readonly id: string }) =>
  new ExtractError(
    'platform_unavailable',
    `The page says that there is no video ${id}, as it also does for restricted ones. The platform’s oEmbed answer, which would distinguish them, could not be read.`,
  );
