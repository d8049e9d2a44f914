import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { MediaSaver, RequestedStep, StepPorts } from '../../lines/step.js';
import type { CommandExtractor, Context } from './context.js';
import { UsageError } from './usage-error.js';

interface PortsOptions {
  readonly endpoint: Endpoint;
  /** The output of a resumable run, otherwise null. */
  readonly file: string | null;
  /** The user's name for the output; null for a stream. */
  readonly output: string | null;
  /** Use sample pictures instead of the platform's. */
  readonly demo: boolean;
}

/** Returns what the steps need from the command. */
export function stepPorts(
  context: Context,
  { config }: Pick<CommandExtractor, 'config'>,
  { endpoint, file, output, demo }: PortsOptions,
): StepPorts {
  const { home } = config;
  const folders = new Map<string, Promise<MediaSaver>>();
  const openFolder = async (folder: string, maxMb: number) => {
    const { openMedia } = await import('./media.js');
    return openMedia({ endpoint, folder, maxMb, config, demo, signal: context.signal });
  };
  return {
    ...{ endpoint, home, clock: systemClock, signal: context.signal },
    seenMemory: async (name) => (await import('./seen-names.js')).openSeen(home, name),
    history: async (file) => (await import('./history/history-file.js')).openHistory(file),
    media(folder, maxMb) {
      const mediaFolder = folders.get(folder) ?? openFolder(folder, maxMb);
      folders.set(folder, mediaFolder);
      return mediaFolder;
    },
    alerts: async (targets, onlyNew) =>
      (await import('./notify/open-alerts.js')).openAlerts(
        context,
        { endpoint: endpoint.path, config, output },
        targets,
        onlyNew,
      ),
    async journal(name, { writtenInputs: reached, isResumable }, onKnown, isOptional) {
      if (!isResumable || file === null) return null;
      const { openJournal } = await import('../../files/batch-files/run-journal.js');
      return openJournal(`${file}.${name}`, reached, onKnown, isOptional);
    },
    suppressed: async () => (await import('./suppressed-here.js')).suppressedHere(context),
  };
}

/** Throws a usage error if a step needs pages, but a server reads them. */
export function requirePages(
  requested: readonly RequestedStep[],
  { baseUrl }: Pick<Config, 'baseUrl'>,
): void {
  if (baseUrl === undefined || !requested.some(({ needsPages }) => needsPages === true)) return;
  throw new UsageError(
    'invalid_parameter',
    '--captions needs pages read on this machine; a server’s answers have no captions. Add --local to read them here.',
  );
}
