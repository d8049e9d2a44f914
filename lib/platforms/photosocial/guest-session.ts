import { ExtractError } from '../../errors/extract-error.js';
import { between, type Json } from '../../read/json.js';
import { refuseByStatus } from '../../read/refusal.js';
import type { Page, PageRequest, PageSession } from '../../web/page-source.js';
import { type DocumentName, documentsWith, fillVariables } from './documents.js';
import { askedDocument, openedPage } from './in-browser.js';
import { home } from './urls.js';

/** The application id of the platform's own web pages, the same for every visitor since 2021. */
const webApp = '936619743392459';

/**
 * The tokens that a page gives its visitor for later requests (2026). It is the site data LSD, or key `l` of the script __eqmc.
 * None of it is ever made up.
 */
function pageTokens(html: string): { readonly lsd: string | null; readonly jazoest: string | null } {
  const settings = between(html, 'id="__eqmc"', '</script>') ?? '';
  return {
    lsd: between(html, '["LSD",[],{"token":"', '"') ?? /"l":"([\w-]{1,100})"/.exec(settings)?.[1] ?? null,
    jazoest: /[?&]jazoest=(\d{1,12})/.exec(settings)?.[1] ?? null,
  };
}

/**
 * The requests of one call: pages, and queries to documents with the tokens of those pages. Once the platform
 * is unreachable, or asked for fewer requests, the session sends no further request.
 */
export class GuestSession {
  readonly #session: PageSession;
  readonly #overrides: Json;
  #lastPage: Page | null = null;
  #slowDown: Page | null = null;
  #unreachable: ExtractError | null = null;

  constructor(session: PageSession, overrides: Json) {
    this.#session = session;
    this.#overrides = overrides;
  }

  /** A page of the site. Throws what the session throws. */
  async page(url: string): Promise<Page> {
    this.#lastPage = await this.#send({ url, browser: openedPage(url) });
    return this.#lastPage;
  }

  /**
   * The answer of a document. `from` is the page that a visitor would send it from. A session without a page opens it
   * first, for the values that the request needs.
   */
  async document(name: DocumentName, values: Readonly<Record<string, Json>>, from: string): Promise<Page> {
    const document = documentsWith(this.#overrides)[name];
    const { lsd, jazoest } = pageTokens((this.#lastPage ?? (await this.page(from))).text());
    const csrf = await this.#session.cookie(home, 'csrftoken');
    const form: [string, string | null][] = [
      ['av', '0'],
      ['__d', 'www'],
      ['__user', '0'],
      ['__a', '1'],
      ['__comet_req', '7'],
      ['lsd', lsd],
      ['jazoest', jazoest],
      ['fb_api_caller_class', 'RelayModern'],
      ['fb_api_req_friendly_name', document.name],
      ['variables', JSON.stringify(fillVariables(document.variables, values))],
      ['server_timestamps', 'true'],
      ['doc_id', document.id],
    ];
    const headers: [string, string | null][] = [
      ['accept', '*/*'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['origin', home],
      ['referer', from],
      ['sec-fetch-dest', 'empty'],
      ['sec-fetch-mode', 'cors'],
      ['sec-fetch-site', 'same-origin'],
      ['x-ig-app-id', webApp],
      ['x-fb-friendly-name', document.name],
      ['x-fb-lsd', lsd],
      ['x-csrftoken', csrf],
    ];
    const browser = askedDocument(name, document, values, from);
    return this.#send({
      ...(browser === undefined ? {} : { browser }),
      url: home + document.path,
      method: 'POST',
      headers: withoutNulls(headers),
      body: new URLSearchParams(withoutNulls(form)).toString(),
    });
  }

  async #send(request: PageRequest): Promise<Page> {
    if (this.#unreachable !== null) throw this.#unreachable;
    if (this.#slowDown !== null) refuseByStatus(this.#slowDown);
    try {
      const page = await this.#session.fetch(request);
      if (page.status === 429) this.#slowDown = page;
      return page;
    } catch (error) {
      if (error instanceof ExtractError && error.code !== 'platform_changed') this.#unreachable = error;
      throw error;
    }
  }
}

/** The pairs whose value is known. */
function withoutNulls(pairs: readonly (readonly [string, string | null])[]): Record<string, string> {
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== null));
}
