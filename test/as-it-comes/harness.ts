import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Answers, type BrowserSite, browserSite, type SiteRequest } from '../support/browser-site.js';
import { addressOf, outputOf, type ProgramOutput } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// The tests of this folder meet the product as its users do. A program gets a proxy, the proxy's certificate and a
// home. Pace, cool-down, cache and concurrency are a new installation's. Where that takes minutes, the clock is moved
// on (`moved-clock.mjs`).

const root = packageRoot();
const compiled = path.join(os.tmpdir(), 'compiled');

/** The environment of a program besides its home. None of it is a setting. */
export interface Surroundings {
  /** By how much its clock is ahead. */
  readonly aheadMs?: number;
  /** By how much `moveOn` moves its clock on. */
  readonly stepMs?: number;
  /** Where programs are looked for. */
  readonly PATH?: string;
  /** The operator's address, the one setting without a usable default. */
  readonly operator?: string;
  /** Settings that have no default: of the storage that results are written to, say. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Moves the clock of a program on by its step. */
export const moveOn = (child: ChildProcess) => child.kill('SIGUSR2');

/** Starts `extract` in a separate home. */
function start(
  site: Pick<BrowserSite, 'proxyUrl' | 'caFile'>,
  home: string,
  temporary: string,
  args: readonly string[],
  { aheadMs = 0, stepMs = 0, PATH = process.env.PATH ?? '', operator, settings }: Surroundings = {},
): ChildProcess {
  const clock = path.join(root, 'test', 'as-it-comes', 'moved-clock.mjs');
  return spawn(process.execPath, ['--import', clock, path.join(root, 'bin', 'extract.js'), ...args], {
    cwd: root,
    env: {
      PATH,
      HOME: home,
      TMPDIR: temporary,
      // Each of these folders for temporary files is new; a user's has what Node compiled at the last call.
      NODE_COMPILE_CACHE: compiled,
      HTTPS_PROXY: site.proxyUrl,
      NODE_EXTRA_CA_CERTS: site.caFile,
      MOVED_CLOCK_MS: String(aheadMs),
      MOVED_CLOCK_STEP_MS: String(stepMs),
      ...(operator === undefined ? {} : { EXTRACT_OPERATOR_EMAIL: operator }),
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** A request as a site remembers it, with the moment it came. */
export interface Arrival extends SiteRequest {
  /** Milliseconds, as a real clock has them. */
  readonly at: number;
}

/**
 * Milliseconds between each two. The median: a machine that stood still brings one request late, and so near to the
 * next.
 */
export function medianGap(arrivals: readonly Arrival[]): number {
  const gaps = arrivals.slice(1).map(({ at }, before) => at - (arrivals[before]?.at ?? 0));
  return gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
}

/** Serves the answers instead of the platforms, and runs commands against them in one home. */
export async function serveSite(answers: Answers) {
  const arrivals: Arrival[] = [];
  const endings: (() => unknown)[] = [];
  after(async () => {
    for (const done of endings.reverse()) await done();
  });
  const site = await browserSite({ after: (done) => endings.push(done) }, temporaryFolder(), (request) => {
    arrivals.push({ ...request, at: performance.now() });
    return answers(request);
  });
  const [home, temporary] = [temporaryFolder(), temporaryFolder()];
  const started = (args: readonly string[], where?: Surroundings): ChildProcess => {
    const child = start(site, home, temporary, args, where);
    endings.push(() => child.kill('SIGKILL'));
    return child;
  };
  return {
    home,
    temporary,
    tunnels: site.tunnels,
    proxyPort: Number(new URL(site.proxyUrl).port),
    plain: () => arrivals.filter(({ browsed }) => !browsed),
    browsed: () => arrivals.filter(({ browsed }) => browsed),
    /** Starts a program that is ended with the test. */
    start: started,
    /** Starts a server, and gives its address. */
    async serve(where?: Surroundings) {
      const child = started(['serve', '--port', '0'], where);
      return { child, url: await addressOf(child) };
    },
    /** Runs a command to its end. */
    run: (args: readonly string[], where?: Surroundings): Promise<ProgramOutput> =>
      outputOf(start(site, home, temporary, args, where), ''),
    /** Runs the command of an endpoint to its end. */
    extract: (endpoint: string, args: readonly string[], where?: Surroundings): Promise<ProgramOutput> =>
      outputOf(start(site, home, temporary, [...endpoint.split('/'), ...args, '--json'], where), ''),
  };
}
