import { ExtractError } from '../errors/extract-error.js';

/** Proxies as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name them. */
export interface ProxySettings {
  readonly httpsProxy?: string | undefined;
  readonly httpProxy?: string | undefined;
  /** Hosts that are asked directly: names with everything below them, `host:port`, or `*`. */
  readonly noProxy?: string | undefined;
}

/** The proxies in use, spelled out; at least one is set. */
export type Proxies = Readonly<Record<keyof ProxySettings, string>>;

function proxyUrl(name: string, setting: string | undefined): string {
  if (setting === undefined || setting.trim() === '') return '';
  const text = setting.includes('://') ? setting.trim() : `http://${setting.trim()}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    // The setting itself is not repeated: it may hold a password.
    throw new ExtractError('invalid_parameter', `${name} is not the http or https URL of a proxy.`);
  }
  return text;
}

/**
 * The proxies to use, spelled out; null where none is set. Throws `invalid_parameter` for one that is no URL.
 */
export function proxiesOf(settings: ProxySettings): Proxies | null {
  const httpsProxy = proxyUrl('HTTPS_PROXY', settings.httpsProxy);
  const httpProxy = proxyUrl('HTTP_PROXY', settings.httpProxy);
  // Strings even where empty: undici would read the environment otherwise.
  return httpsProxy || httpProxy ? { httpsProxy, httpProxy, noProxy: settings.noProxy ?? '' } : null;
}

/** The setting that names the proxy at an address. */
export function settingOfProxy({ httpsProxy }: Proxies, address: URL): string {
  return httpsProxy !== '' && new URL(httpsProxy).href === address.href ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

/** The setting that names the proxy on the way to a host. */
export function settingForHost({ httpsProxy }: Proxies, { protocol }: URL): string {
  return protocol === 'https:' && httpsProxy !== '' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

/** True where the hosts to reach without a proxy name this one. */
export function isDirect(host: string, noProxy: string): boolean {
  return noProxy
    .split(/[\s,]+/)
    .map((entry) =>
      entry
        .replace(/:\d+$/, '')
        .replace(/^\*?\./, '')
        .toLowerCase(),
    )
    .some((entry) => entry === '*' || (entry !== '' && (host === entry || host.endsWith(`.${entry}`))));
}

/** The setting of the proxy that a request to an address goes through; null for one that goes through none. */
export function proxySettingOn(proxies: Proxies | null, url: URL): string | null {
  if (proxies === null || isDirect(url.hostname, proxies.noProxy)) return null;
  const setting = settingForHost(proxies, url);
  return setting === 'HTTP_PROXY' && proxies.httpProxy === '' ? null : setting;
}
