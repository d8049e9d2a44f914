import type { Config } from '../../../../lib/config.js';
import type { CallSignal } from '../../../../lib/runtime/abort.js';
import type { InputResult } from '../../../files/batch-files/line-format.js';
import type { Condition } from '../../../files/condition/condition.js';
import type { MediaFolder } from '../../../files/media/media-folder.js';
import { captionsIn, mediaOf } from '../../../files/media/media-items.js';
import type { Context } from '../context.js';
import { mediaText, type OpenMedia, openMedia, requireLocal } from '../media.js';
import type { BatchCommandOptions } from './batch-options.js';

/** The folder that a batch saves pictures and videos in; null where it saves none. */
export async function openBatchMedia(
  { endpoint, media, mediaMaxMb, captions, defaults }: BatchCommandOptions,
  config: Config,
): Promise<OpenMedia | null> {
  if (media === null) return null;
  if (captions) requireLocal(config);
  return openMedia({ endpoint, folder: media, maxMb: mediaMaxMb, config, demo: defaults.demo === true });
}

/**
 * Saves the pictures, videos and captions of an answer, of which the condition is true. A file that fails stands in the manifest, and
 * does not fail the input.
 */
export async function saveMedia(
  folder: MediaFolder,
  { endpoint, captions: wantsCaptions }: Pick<BatchCommandOptions, 'endpoint' | 'captions'>,
  { json, sources, captions }: InputResult,
  condition: Condition | null,
  signal: CallSignal,
): Promise<'done' | 'interrupted'> {
  if (json === null) return 'done';
  const data: unknown = JSON.parse(json);
  const found = endpoint.many ? (data as readonly unknown[]) : [data];
  const isTrue = condition?.matches({ json, sources });
  const items = found.filter((_, index) => isTrue?.[index] ?? true);
  try {
    const all = [
      ...mediaOf(endpoint, items),
      ...(wantsCaptions ? captionsIn(endpoint, items, captions) : []),
    ];
    await Promise.all(all.map((one) => folder.save(one, signal)));
    return 'done';
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    throw error;
  }
}

/** Says what became of the pictures and videos: true where some could not be saved. */
export async function reportMedia(
  { stderr }: Context,
  { quiet, progress }: BatchCommandOptions,
  media: OpenMedia | null,
): Promise<boolean> {
  if (media === null) return false;
  const { totals } = media.folder;
  if (!quiet && progress !== 'jsonl') await stderr.write(`Media: ${mediaText(totals)}\n`);
  return totals.failed > 0;
}
