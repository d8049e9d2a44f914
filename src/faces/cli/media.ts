import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { MediaPort } from '../../../lib/web/media-source.js';
import { openFault } from '../../files/batch-files/output-fault.js';
import type { MediaTotals } from '../../files/media/media-folder.js';
import type { MediaSaver } from '../../lines/step.js';
import { integerText, quantity } from '../../output/number-text.js';

interface MediaOptions {
  readonly endpoint: Endpoint;
  readonly folder: string;
  readonly maxMb: number;
  readonly config: Config;
  /** Use sample pictures instead of the platform's. */
  readonly demo: boolean;
  readonly signal: AbortSignal;
}

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

/** Opens a folder for the media of an endpoint, and the connections to their hosts. */
export async function openMedia(options: MediaOptions): Promise<MediaSaver> {
  const { folder, maxMb, demo, signal } = options;
  const { MediaFolder } = await import('../../files/media/media-folder.js');
  const source = demo
    ? (await import('../../files/media/sample-media.js')).sampleMedia
    : await openHosts(options);
  const mediaFolder = await MediaFolder.open(folder, source, maxMb * 1_000_000).catch(
    async (cause: unknown) => {
      await source.close();
      throw openFault(folder, cause);
    },
  );
  let closing: Promise<void> | undefined;
  return {
    async save(media) {
      await Promise.all(media.map((one) => mediaFolder.save(one, signal)));
    },
    summary: () => mediaText(mediaFolder.totals),
    failed: () => mediaFolder.totals.failed,
    // Called by each step that shares it.
    close() {
      closing ??= source.close().then(() => mediaFolder.close());
      return closing;
    },
  };
}

/** “12 files saved (3.4 MB), 2 there already, 1 failed (as manifest.ndjson says)” */
function mediaText({ saved, bytes, known, failed }: MediaTotals): string {
  const megabytes = (bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 });
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${megabytes} MB`;
  return [
    `${quantity(saved, 'file')} saved (${size})`,
    ...(known === 0 ? [] : [`${integerText(known)} there already`]),
    ...(failed === 0 ? [] : [`${integerText(failed)} failed, see manifest.ndjson`]),
  ].join(', ');
}
