import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { version } from '../../../lib/runtime/version.js';
import { readRetention } from '../../config/retention-config.js';
import { readableEnvironment } from '../../config/settings.js';
import { checkCache } from './check-cache.js';
import { checkClock } from './check-clock.js';
import { checkDatabase } from './check-database.js';
import { checkLedger, checkSideFiles } from './check-files.js';
import { checkHome } from './check-home.js';
import { checkLogin, noLogin } from './check-login.js';
import { checkMail } from './check-mail.js';
import { checkNetwork } from './check-network.js';
import { checkBrowser, checkBuild, checkNativeModule, checkNode, checkVersion } from './check-program.js';
import { checkSettings } from './check-settings.js';
import { type Finding, ok } from './finding.js';
import { latestVersion } from './latest-version.js';
import { retainedData } from './retained-data.js';

export interface CheckOptions {
  /** The settings in effect, as far as they are valid. */
  readonly config: Config;
  readonly endpoints: readonly Endpoint[];
  readonly canaries: string | undefined;
  /** Read files completely, whatever their size. */
  readonly isFullCheck: boolean;
  readonly now: number;
}

/** A client of a server does not need the platforms' hosts. */
function asWarning(finding: Finding): Finding {
  return finding.status === 'failed' ? { ...finding, status: 'warning' } : finding;
}

/** Reports the retention periods that a setting controls; the guide lists the others. */
function checkRetention(endpoints: readonly Endpoint[], env?: NodeJS.ProcessEnv): Finding {
  const texts = retainedData(readRetention(readableEnvironment(env)), endpoints).flatMap(
    ({ data, until, setting }) => (setting === null ? [] : [`${data} ${until} (${setting})`]),
  );
  return ok('retention', texts.join('; '));
}

/** Runs every check; slow ones run concurrently. Returns the findings in order. */
export async function runChecks({
  config,
  endpoints,
  canaries,
  isFullCheck,
  now,
}: CheckOptions): Promise<readonly Finding[]> {
  const network = checkNetwork(endpoints, config);
  // If no host can be reached, npm cannot be, either.
  const latest = network.then(({ isThere }) => (isThere ? latestVersion() : null));
  const login = checkLogin(config);
  const cache = checkCache(config);
  const mail = checkMail();
  const native = await checkNativeModule();
  const isUsable = native.status === 'ok';
  const [home, settings, ledger, sideFiles, database] = await Promise.all([
    checkHome(config.home),
    checkSettings(endpoints, canaries),
    isUsable ? checkLedger(config.home, isFullCheck) : { findings: [], newest: null },
    isUsable ? checkSideFiles(config.home, isFullCheck) : [],
    checkDatabase(systemClock, isFullCheck),
  ]);
  const browser = checkBrowser(config);
  const { findings: hosts, isCertificateOutOfTime } = await network;
  const loginResult = await login;
  const hasServer = config.baseUrl !== undefined || loginResult.message !== noLogin;
  const clock = checkClock(now, { newest: ledger.newest, isCertificateOutOfTime });
  return [
    checkNode(process.version),
    native,
    ...home,
    ...ledger.findings,
    ...sideFiles,
    ...database,
    ...settings,
    checkRetention(endpoints),
    ...(await cache),
    ...(await mail),
    clock,
    ...(hasServer ? hosts.map(asWarning) : hosts),
    await browser,
    loginResult,
    checkBuild(),
    checkVersion(version, await latest),
  ];
}
