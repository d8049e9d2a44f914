import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import type { Line } from '../line.js';
import type { OpenStep, PlannedRun, Step, StepPorts } from '../step.js';

export interface MediaValues {
  readonly media?: string | undefined;
  readonly mediaMaxMb?: number | undefined;
}

export const defaultMaxMb = 200;

/** Throws if an endpoint lacks what is to be saved, naming the endpoints that have it. */
export function requireFiles(endpoint: Endpoint, has: (endpoint: Endpoint) => boolean, lack: string): void {
  if (has(endpoint)) return;
  const having = endpoints.filter(has).map(({ path }) => path);
  throw invalidParameter(lack, { next: `Endpoints that do: ${having.join(', ')}.` });
}

async function requireMedia({ endpoint, nameOf, output }: PlannedRun): Promise<void> {
  const { mediaFields } = await import('../../files/media/media-items.js');
  const hasMedia = (one: Endpoint) => mediaFields(one).length > 0;
  requireFiles(endpoint, hasMedia, `The answers of ${endpoint.path} have no pictures or videos to save.`);
  if (output === null)
    throw new ExtractError('missing_parameter', `${nameOf('media')} needs the output file: -o FILE.`, {
      next: '',
    });
}

/** Opens a step that saves the files of items before the line is written. A file that fails does not fail the line. */
export async function savingStep(
  { media: folder, mediaMaxMb = defaultMaxMb }: MediaValues,
  { endpoint, signal, media }: StepPorts,
  filesOf: (
    items: readonly unknown[],
    line: Line,
  ) => Parameters<Awaited<ReturnType<typeof media>>['save']>[0],
): Promise<OpenStep> {
  const saver = await media(String(folder), mediaMaxMb);
  return {
    async ahead(line) {
      const data: unknown = line.json === null ? null : JSON.parse(line.json);
      if (data === null) return 'done';
      try {
        await saver.save(filesOf(endpoint.many ? (data as readonly unknown[]) : [data], line));
        return 'done';
      } catch (error) {
        if (signal.aborted) return 'interrupted';
        throw error;
      }
    },
    summary: () => [`Media: ${saver.summary()}`],
    isPart: () => saver.failed() > 0,
    close: () => saver.close(),
  };
}

/** Saves the pictures and videos of items. */
export const media: Step<MediaValues> = {
  name: 'media',
  kinds: ['batch'],
  options: {
    media: {
      shape: () => z.string(),
      value: 'dir',
      help: 'Download the pictures and videos of the answers to this folder; needs -o',
    },
    mediaMaxMb: {
      shape: () =>
        z
          .string()
          .regex(/^\d+$/, 'It must be a whole number.')
          .transform(Number)
          .pipe(z.int().min(1, 'It must be 1 to 1,000,000.').max(1_000_000, 'It must be 1 to 1,000,000.')),
      value: 'number',
      help: `Maximum size of a saved picture or video, in MB. Default: ${defaultMaxMb}`,
    },
  },
  async request(values, run) {
    if (values.media === undefined) return null;
    await requireMedia(run);
    const { mediaOf } = await import('../../files/media/media-items.js');
    return { open: (ports) => savingStep(values, ports, (items) => mediaOf(run.endpoint, items)) };
  },
};
