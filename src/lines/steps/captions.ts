import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Step } from '../step.js';
import { type MediaValues, requireFiles, savingStep } from './media.js';

interface CaptionValues {
  readonly captions?: boolean | undefined;
}

/** Saves the captions of videos, in the folder of the pictures. */
export const captions: Step<CaptionValues, CaptionValues & MediaValues> = {
  name: 'captions',
  kinds: ['batch'],
  options: {
    captions: {
      shape: () => z.boolean(),
      help: 'With --media: also save the captions of videos as WebVTT, with a text file each',
    },
  },
  async request(values, { endpoint, nameOf }) {
    if (values.captions !== true) return null;
    if (values.media === undefined)
      throw new ExtractError(
        'missing_parameter',
        `${nameOf('captions')} needs a folder: ${nameOf('media')} DIR.`,
      );
    const { captionsIn, hasCaptions } = await import('../../files/media/media-items.js');
    requireFiles(endpoint, hasCaptions, `The pages of ${endpoint.path} have no captions.`);
    return {
      needsSources: true,
      needsPages: true,
      async open(ports) {
        // The folder is shared with the pictures, whose step reports the number of files.
        const { summary: _, ...step } = await savingStep(values, ports, (items, line) =>
          captionsIn(endpoint, items, line.captions),
        );
        return step;
      },
    };
  },
};
