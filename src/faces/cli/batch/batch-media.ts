import type { Config } from '../../../../lib/config.js';
import { captionsIn, mediaOf } from '../../../files/media/media-items.js';
import type { OpenStep } from '../../../lines/step.js';
import type { Context } from '../context.js';
import { mediaText, type OpenMedia, openMedia, requireLocal } from '../media.js';
import type { BatchCommandOptions } from './batch-options.js';

/**
 * Saves the pictures, videos and captions of the items of a batch. A file that fails is in the manifest, and does not
 * fail the input.
 */
export function mediaStep(
  { signal }: Context,
  { endpoint, media: folder, mediaMaxMb: maxMb, captions: wantsCaptions, defaults }: BatchCommandOptions,
  config: Config,
): OpenStep {
  let media: OpenMedia | undefined;
  return {
    async begin() {
      if (wantsCaptions) requireLocal(config);
      media = await openMedia({
        endpoint,
        folder: String(folder),
        maxMb,
        config,
        demo: defaults.demo === true,
      });
    },
    async ahead({ json, captions }) {
      if (json === null || media === undefined) return 'done';
      const data: unknown = JSON.parse(json);
      if (data === null) return 'done';
      const items = endpoint.many ? (data as readonly unknown[]) : [data];
      const found = [
        ...mediaOf(endpoint, items),
        ...(wantsCaptions ? captionsIn(endpoint, items, captions) : []),
      ];
      try {
        await Promise.all(found.map((one) => media?.folder.save(one, signal)));
        return 'done';
      } catch (error) {
        if (signal.aborted) return 'interrupted';
        throw error;
      }
    },
    summary: () => (media === undefined ? [] : [`Media: ${mediaText(media.folder.totals)}`]),
    isPart: () => media !== undefined && media.folder.totals.failed > 0,
    async close() {
      await media?.close();
    },
  };
}
