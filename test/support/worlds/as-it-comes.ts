import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import tls from 'node:tls';
import { type Answers, browserSite } from '../browser-site.js';
import { extract, type Surroundings } from '../cli.js';
import { temporaryFolder } from '../temporary-folder.js';
import { movedTime } from './moved-time.js';
import type { WorldName } from './place.js';
import { type Arrival, world } from './world.js';

/** A machine in a world: a new home, no settings, requests over TLS, and time that passes as fast as possible. */
export async function machineIn(
  t: TestContext,
  name: WorldName,
  onArrival: (arrivals: readonly Arrival[]) => void = () => {},
  instead?: Answers,
) {
  const time = movedTime(t);
  const { answers, arrivals, unknown } = world(name, () => time.clock.now(), instead);
  const folder = temporaryFolder();
  const site = await browserSite(t, folder, (request) => {
    const answer = answers(request);
    onArrival(arrivals);
    return answer;
  });
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(site.caFile, 'utf8')]);
  const home = temporaryFolder();
  // Finds no browser, and records attempts to start one.
  const [browserPath, started] = [path.join(folder, 'chromium'), path.join(folder, 'started')];
  writeFileSync(browserPath, `#!/bin/sh\ntouch ${started}\nexit 1\n`);
  chmodSync(browserPath, 0o755);
  const config = { home, httpsProxy: site.proxyUrl, noProxy: '127.0.0.1', browser: 'never' as const };
  return {
    ...{ clock: time.clock, arrivals, unknown, folder },
    /** True once a browser was started. */
    hasOpenedBrowser: () => existsSync(started),
    /** Runs a command to its end, and returns the seconds that passed. */
    async run(args: readonly string[], over: Surroundings = {}) {
      const began = time.clock.now();
      const ran = await time.passing(extract(args, { ...over, config: { ...config, ...over.config } }));
      return { ...ran, seconds: (time.clock.now() - began) / 1000 };
    },
    withBrowser: { browser: 'auto', browserPath } as const,
  };
}
