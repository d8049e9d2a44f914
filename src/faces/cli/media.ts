import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { MediaPort } from '../../../lib/web/media-source.js';
import { openFault } from '../../files/batch-files/output-fault.js';
import type { MediaFolder, MediaTotals } from '../../files/media/media-folder.js';
import { counted, grouped } from '../../output/number-text.js';
import { UsageError } from './usage-error.js';

/** A folder of pictures, videos and captions that is open, and what is closed with it. */
export interface OpenMedia {
  readonly folder: MediaFolder;
  close(): Promise<void>;
}

interface MediaOptions {
  readonly endpoint: Endpoint;
  readonly folder: string;
  readonly maxMb: number;
  readonly config: Config;
  /** Invented pictures in place of those of the platform. */
  readonly demo: boolean;
}

/** The media hosts of a platform, with what is closed beside them. */
async function openHosts({ endpoint, config }: MediaOptions): Promise<MediaPort> {
  const { site, platform } = endpoint;
  if (site.media === undefined) throw new Error(`${platform} has no media hosts`);
  const [{ MediaSource }, { openPace }] = await Promise.all([
    import('../../../lib/web/media-source.js'),
    import('../../compose/open-store.js'),
  ]);
  const { userAgent, cooldownMs } = config;
  const paceStore = openPace(config.home, systemClock);
  const source = new MediaSource({
    ...{ platform, site: site.media, userAgent, cooldownMs, proxy: config, clock: systemClock },
    paceStore,
  });
  return {
    isOnHosts: (address) => source.isOnHosts(address),
    fetch: (address, headers, read, signal) => source.fetch(address, headers, read, signal),
    async close() {
      await source.close();
      await paceStore.close();
    },
  };
}

/** Throws a usage error where a server answers: captions stand on pages that this machine does not read then. */
export function requireLocal({ baseUrl }: Pick<Config, 'baseUrl'>): void {
  if (baseUrl === undefined) return;
  throw new UsageError(
    'invalid_parameter',
    '--captions is for pages that this machine reads: the answers of a server name no captions. --local reads them here.',
  );
}

/** Opens a folder for the pictures and videos of an endpoint, and the connections to their hosts. */
export async function openMedia(options: MediaOptions): Promise<OpenMedia> {
  const { folder, maxMb, demo } = options;
  const { MediaFolder } = await import('../../files/media/media-folder.js');
  const source = demo
    ? (await import('../../files/media/sample-media.js')).sampleMedia
    : await openHosts(options);
  const opened = await MediaFolder.open(folder, source, maxMb * 1_000_000).catch(async (cause: unknown) => {
    await source.close();
    throw openFault(folder, cause);
  });
  return {
    folder: opened,
    async close() {
      await source.close();
      await opened.close();
    },
  };
}

/** “12 files saved (3.4 MB), 2 there already, 1 failed (as manifest.ndjson says)” */
export function mediaText({ saved, bytes, known, failed }: MediaTotals): string {
  const megabytes = (bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 });
  return [
    `${counted(saved, 'file')} saved (${megabytes} MB)`,
    ...(known === 0 ? [] : [`${grouped(known)} there already`]),
    ...(failed === 0 ? [] : [`${grouped(failed)} failed, see manifest.ndjson`]),
  ].join(', ');
}
