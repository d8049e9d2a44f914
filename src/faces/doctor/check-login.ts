import type { Config } from '../../../lib/config.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { readLogin } from '../../../lib/remote/login.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { type Finding, failed, ok, warning } from './finding.js';

const timeoutMs = 4_000;

type Server = Pick<Config, 'home' | 'baseUrl' | 'apiKey' | 'userAgent' | keyof Proxies>;
type Proxies = Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>;

export const noLogin = 'none: commands read the platforms from here';

/** Checks whether the server that commands use responds and accepts the key. */
export async function checkLogin(config: Server): Promise<Finding> {
  const check = 'login';
  try {
    const login = readLogin(config.home);
    const baseUrl = config.baseUrl ?? login?.baseUrl;
    if (baseUrl === undefined) return ok(check, noLogin);
    const apiKey = config.apiKey ?? (baseUrl === login?.baseUrl ? login.apiKey : undefined);
    if (apiKey === undefined) {
      const next = 'Set EXTRACT_API_KEY, or run “extract login”.';
      return warning(check, `${new URL(baseUrl).host} is set without a key.`, next);
    }
    const { openApiClient } = await import('../../../lib/remote/remote.js');
    const client = openApiClient({ ...config, baseUrl, apiKey, timeoutMs }, systemClock);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const { data } = await client.get('account', {}, signal);
      const { credits_remaining: credits } = data as { readonly credits_remaining: number };
      return ok(
        check,
        `${new URL(baseUrl).host} accepts the key; ${credits.toLocaleString('en-US')} credits`,
      );
    } finally {
      await client.close();
    }
  } catch (cause) {
    if (cause instanceof ExtractError) {
      const next =
        cause.type === 'authentication'
          ? 'Run “extract login” with a valid key.'
          : 'Check EXTRACT_BASE_URL, or run “extract logout” to read the platforms from here.';
      return failed(check, cause.message, next);
    }
    return failed(
      check,
      'The server did not respond in time.',
      'Check that it runs, or run “extract logout”.',
    );
  }
}
