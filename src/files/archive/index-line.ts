/** An answer as the index of an archive names it (CDXJ). */
export interface IndexEntry {
  /** Address and time in the order in which an index is searched. */
  readonly key: string;
  readonly url: string;
  /** When it was asked for, ISO 8601 UTC. */
  readonly date: string;
  readonly mime: string;
  readonly status: string;
  readonly digest: string;
  readonly method?: string;
  readonly requestBody?: string;
}

/** Where a record lies in the files of an archive. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
  readonly filename: string;
}

/** A request, as far as its address in an index depends on it. */
export interface IndexedRequest {
  readonly method: string;
  readonly body: string;
  readonly contentType: string;
}

/** A form as an address has it; what is badly encoded stays as it is. */
function decodedForm(body: string): string {
  try {
    return decodeURI(body);
  } catch {
    return body;
  }
}

/** An address as the index knows it: that of a form carries the form, decoded, as tools that replay archives look for it. */
export function indexUrl(url: string, { method, body, contentType }: IndexedRequest): string {
  if (method === 'GET') return url;
  const isForm = contentType.startsWith('application/x-www-form-urlencoded');
  const sent = isForm ? decodedForm(body) : `__wb_post_data=${Buffer.from(body).toString('base64')}`;
  return `${url}${url.includes('?') ? '&' : '?'}__wb_method=${method}${body === '' ? '' : `&${sent}`}`;
}

/** An address with its host reversed (SURT): `com,example)/path?query`, in lower case, the parameters sorted. */
export function surt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  const host = hostname
    .replace(/^www\d*\./, '')
    .split('.')
    .reverse()
    .join(',');
  const params = search.slice(1).split('&').sort().join('&');
  return `${host}${port === '' ? '' : `:${port}`})${pathname}${params === '' ? '' : `?${params}`}`.toLowerCase();
}

/** Address and time, fourteen digits: a text without a blank but the one between them. */
export const indexKey = (url: string, date: string): string =>
  `${surt(url).replaceAll(' ', '%20')} ${date.replace(/\D/g, '').slice(0, 14)}`;

/** A line of the index. */
export function indexLine(
  { key, url, mime, status, digest, method, requestBody }: IndexEntry,
  place: RecordPlace,
) {
  const { offset, length, filename } = place;
  const about = { url, mime, status, digest, length: String(length), offset: String(offset), filename };
  return `${key} ${JSON.stringify({ ...about, method, requestBody })}\n`;
}
