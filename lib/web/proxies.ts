import { invalidParameter } from '../errors/extract-error.js';

/** Proxies as named by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
export interface ProxySettings {
  readonly httpsProxy?: string | undefined;
  readonly httpProxy?: string | undefined;
  /** Hosts reached directly: names, which include their subdomains, `host:port`, or `*`. */
  readonly noProxy?: string | undefined;
}

/** The proxies in use, in full; at least one is set. */
export type Proxies = Readonly<Record<keyof ProxySettings, string>>;

function proxyUrl(name: string, setting: string | undefined): string {
  if (setting === undefined || setting.trim() === '') return '';
  const text = setting.includes('://') ? setting.trim() : `http://${setting.trim()}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    // The value is not repeated, because it may contain a password.
    throw invalidParameter(`${name} is not the http or https URL of a proxy.`);
  }
  return text;
}

/** Returns the proxies to use, in full; null if none is set. Throws `invalid_parameter` for one that is not a URL. */
export function proxiesOf(settings: ProxySettings): Proxies | null {
  const httpsProxy = proxyUrl('HTTPS_PROXY', settings.httpsProxy);
  const httpProxy = proxyUrl('HTTP_PROXY', settings.httpProxy);
  // Always strings, because undici would read the environment for missing values.
  return httpsProxy || httpProxy ? { httpsProxy, httpProxy, noProxy: settings.noProxy ?? '' } : null;
}

export function settingOfProxy({ httpsProxy }: Proxies, address: URL): string {
  return httpsProxy !== '' && new URL(httpsProxy).href === address.href ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

export function settingForHost({ httpsProxy }: Proxies, { protocol }: URL): string {
  return protocol === 'https:' && httpsProxy !== '' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

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

/** Returns the setting of the proxy for a request; null if it goes direct. */
export function proxySettingOn(proxies: Proxies | null, url: URL): string | null {
  if (proxies === null || isDirect(url.hostname, proxies.noProxy)) return null;
  const setting = settingForHost(proxies, url);
  return setting === 'HTTP_PROXY' && proxies.httpProxy === '' ? null : setting;
}
