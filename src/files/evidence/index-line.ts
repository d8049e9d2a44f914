/** A response in the index of an archive (CDXJ). */
export interface IndexEntry {
  /** Address and time, by which the index is sorted. */
  readonly key: string;
  readonly url: string;
  /** Time of the request, ISO 8601 UTC. */
  readonly date: string;
  readonly mime: string;
  readonly status: string;
  readonly digest: string;
  readonly method?: string;
  readonly requestBody?: string;
}

/** The position of a record in an archive's files. */
export interface RecordPosition {
  readonly offset: number;
  readonly length: number;
  readonly filename: string;
}

/** The parts of a request that determine its address in the index. */
export interface IndexedRequest {
  readonly method: string;
  readonly body: string;
  readonly contentType: string;
}

function decodedForm(body: string): string {
  try {
    return decodeURI(body);
  } catch {
    return body;
  }
}

/**
 * Returns an address in the index's form. For a form request it includes the decoded form, which replay tools look for.
 */
export function indexUrl(url: string, { method, body, contentType }: IndexedRequest): string {
  if (method === 'GET') return url;
  const isForm = contentType.startsWith('application/x-www-form-urlencoded');
  const bodyText = isForm ? decodedForm(body) : `__wb_post_data=${Buffer.from(body).toString('base64')}`;
  return `${url}${url.includes('?') ? '&' : '?'}__wb_method=${method}${body === '' ? '' : `&${bodyText}`}`;
}

/** Returns an address with reversed host (SURT): `com,example)/path?query`, in lower case, with sorted parameters. */
function surt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  const host = hostname
    .replace(/^www\d*\./, '')
    .split('.')
    .reverse()
    .join(',');
  const params = search.slice(1).split('&').sort().join('&');
  return `${host}${port === '' ? '' : `:${port}`})${pathname}${params === '' ? '' : `?${params}`}`.toLowerCase();
}

/** Returns address and time (fourteen digits), separated by the only space. */
export const indexKey = (url: string, date: string): string =>
  `${surt(url).replaceAll(' ', '%20')} ${date.replace(/\D/g, '').slice(0, 14)}`;

export function indexLine(
  { key, url, mime, status, digest, method, requestBody }: IndexEntry,
  recordPosition: RecordPosition,
) {
  const { offset, length, filename } = recordPosition;
  const about = { url, mime, status, digest, length: String(length), offset: String(offset), filename };
  return `${key} ${JSON.stringify({ ...about, method, requestBody })}\n`;
}
