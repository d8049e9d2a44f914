import { ExtractError } from '../../errors/extract-error.js';
import { at, between, type Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Gestures, InBrowser, Page, PageRequest, PageSession } from '../../web/page-source.js';
import { documentIn, idsOfScript, scriptsFor } from './document-ids.js';
import { type Document, type DocumentName, documentsWith, fillVariables, surfaceOf } from './documents.js';
import { bodyOf, utf8Of } from './page-data.js';
import { embedUrlOf, home } from './urls.js';

/** Data blocks of the pages that people open (2024-2026); embed pages and responses have none. */
const dataBlocks = ['"xig_', '"xdt_api__', 'window._sharedData'];

/** Returns how a browser opens a page. Pages for people contain data that their scripts may have to load. */
function openedPage(url: string): InBrowser {
  return { holds: /\/(?:embed|share|api)\//.test(new URL(url).pathname) ? [] : dataBlocks };
}

/** The actions of a visitor that make a page request a document. Pages request all others when they open. */
const gestures: Readonly<Partial<Record<DocumentName, Gestures>>> = {
  postsNext: { scroll: 'page' },
  fullPostsNext: { scroll: 'page' },
  comments: {
    scroll: 'page',
    press: ':is(button, [role="button"]):has(svg[aria-label*="more comments" i])',
  },
  hashtag: { scroll: 'page' },
};

/** Returns how to recognise a page's request for a document: by its name, because its ID changes every few weeks. */
function requestedDocument(
  name: DocumentName,
  document: Document,
  { after = null, ...values }: Readonly<Record<string, Json>>,
  page: string,
): InBrowser {
  const template = JSON.stringify(document.variables);
  const ids = Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'string' && template.includes(`"$${key}"`) ? [value] : [],
  );
  return {
    holds: dataBlocks,
    pageRequest: {
      page,
      paths: ['/api/graphql', '/graphql/query'],
      params: { fb_api_req_friendly_name: document.name },
      carries: ids,
      // The platform's cursor is in JSON within the form.
      ...(typeof after === 'string' ? { from: { carries: [JSON.stringify(after)] } } : {}),
      later: /"after":\s*"/,
      gestures: gestures[name] ?? {},
    },
  };
}

/** The application id of the platform's own web pages, the same for every visitor since 2021. */
const webApp = '936619743392459';

/** Headers of an address that a visitor opens. Embed pages answer without them (2026-07 to 2026-10). */
const navigation = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'upgrade-insecure-requests': '1',
};

/** Pages for embedding, which have their own cooldown. */
const isEmbed = (url: string) => /\.com\/[^/?]+\/(?:[^/?]+\/)?embed\/|\/oembed\//.test(url);

/** IDs of documents by the address of the script that defines them. The content of such an address never changes. */
const idsOfScripts = new Map<string, ReadonlyMap<string, string>>();

interface Tokens {
  readonly lsd: string | null;
  readonly jazoest: string | null;
  readonly csrf: string | null;
}

/**
 * Reads the tokens that a page gives its visitor for later requests: the site data LSD, or key `l` of the script
 * __eqmc. Embed pages and error pages have them, too (2026-07). Tokens are never made up.
 */
function tokensIn(html: string): Tokens {
  const settings = between(html, 'id="__eqmc"', '</script>') ?? '';
  return {
    lsd: between(html, '["LSD",[],{"token":"', '"') ?? /"l":"([\w-]{1,100})"/.exec(settings)?.[1] ?? null,
    jazoest: /[?&]jazoest=(\d{1,12})/.exec(settings)?.[1] ?? null,
    csrf: /"csrf_token":"([\w-]{1,100})"/.exec(html)?.[1] ?? null,
  };
}

/** The platform's message that a document has been retired. */
const isRetired = (page: Page) =>
  page.status === 200 && /document (?:with \S+ \S+ )?was not found/i.test(page.text().slice(0, 2000));

/** A page instead of an answer, which a retired document may get, too. */
const isPage = (page: Page) => page.status === 200 && bodyOf(page).kind === 'html';

/**
 * The requests of one call: pages, and document queries with the tokens of those pages. Each page is opened once. An
 * unreachable surface is not queried again.
 */
export class GuestSession {
  readonly #session: PageSession;
  readonly #overrides: Json;
  readonly #pages = new Map<string, Page>();
  readonly #failures = new Map<string, ExtractError>();

  constructor(session: PageSession, overrides: Json) {
    this.#session = session;
    this.#overrides = overrides;
  }

  opened(url: string): Page | undefined {
    return this.#pages.get(url);
  }

  async page(url: string): Promise<Page> {
    const openPage = this.#pages.get(url);
    if (openPage !== undefined) return openPage;
    const page = isEmbed(url)
      ? await this.#send({ url, surface: 'embed', browser: openedPage(url) })
      : await this.#send({ url, surface: 'page', browser: openedPage(url), headers: navigation });
    this.#pages.set(url, page);
    return page;
  }

  /**
   * Returns the answer of a document. `from` is the page from which a visitor would query. The tokens come from a page
   * that this call has opened, else from the subject's embed page, which is smaller, else from `from`. The document's
   * ID comes from such a page, else from the table. If that is retired, it is looked up in the page, then in the
   * scripts that the page lists for it.
   */
  async document(name: DocumentName, values: Readonly<Record<string, Json>>, from: string): Promise<Page> {
    const document = documentsWith(this.#overrides)[name];
    const tokens = await this.#tokens(from);
    const isFixed = at(this.#overrides, name) !== undefined || this.#session.runsPages === true;
    const triedIds = new Set<string>();
    let answer: Page | undefined;
    // Only the platform's explicit message justifies opening a page of the site; a refusal looks like any page.
    const isOutdated = () => !isFixed && answer !== undefined && isRetired(answer);
    for (const versions of [
      async () => (isFixed ? [document] : [...this.#named(document), document]),
      async () => (isOutdated() ? this.#named(document, await this.page(from)) : []),
      async () => (isOutdated() ? this.#scripted(document, await this.page(from)) : []),
    ]) {
      for (const version of await versions()) {
        if (triedIds.has(version.id)) continue;
        triedIds.add(version.id);
        answer = await this.#ask(name, version, values, from, tokens);
        if (!isRetired(answer) && !isPage(answer)) return answer;
      }
    }
    return requireValue(answer, 'an answer');
  }

  #named(document: Document, ...pages: readonly Page[]): Document[] {
    return [...this.#pages.values(), ...pages].flatMap((page) => {
      const current = documentIn(utf8Of(page), document.name);
      return current === null
        ? []
        : [{ ...document, id: current.id, variables: { ...current.variables, ...document.variables } }];
    });
  }

  async #scripted(document: Document, page: Page): Promise<Document[]> {
    const versions: Document[] = [];
    for (const url of scriptsFor(utf8Of(page), document.name)) {
      const id = (await this.#idsOfScript(url)).get(document.name);
      if (id !== undefined) versions.push({ ...document, id });
    }
    return versions;
  }

  async #idsOfScript(url: string): Promise<ReadonlyMap<string, string>> {
    const cachedIds = idsOfScripts.get(url);
    if (cachedIds !== undefined) return cachedIds;
    const page = await this.#send({ url, surface: 'document' });
    if (page.status !== 200) return new Map();
    const ids = idsOfScript(page.text());
    idsOfScripts.set(url, ids);
    return ids;
  }

  async #tokens(from: string): Promise<Tokens> {
    for (const page of [...this.#pages.values()].reverse()) {
      const tokens = tokensIn(page.text());
      if (tokens.lsd !== null) return tokens;
    }
    const embed = this.#session.runsPages === true ? null : embedUrlOf(from);
    const giving = [embed, from].filter((url) => url !== null && !this.#pages.has(url)) as string[];
    let tokens: Tokens = { lsd: null, jazoest: null, csrf: null };
    for (const [index, url] of giving.entries()) {
      try {
        tokens = tokensIn((await this.page(url)).text());
      } catch (error) {
        if (index === giving.length - 1 || !(error instanceof ExtractError)) throw error;
      }
      if (tokens.lsd !== null) break;
    }
    return tokens;
  }

  async #ask(
    name: DocumentName,
    document: Document,
    values: Readonly<Record<string, Json>>,
    from: string,
    { lsd, jazoest, csrf }: Tokens,
  ): Promise<Page> {
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
      ['x-csrftoken', (await this.#session.cookie(home, 'csrftoken')) ?? csrf],
    ];
    return this.#send({
      url: home + document.path,
      surface: surfaceOf(document),
      method: 'POST',
      headers: withoutNulls(headers),
      body: new URLSearchParams(withoutNulls(form)).toString(),
      browser: requestedDocument(name, document, values, from),
    });
  }

  async #send(request: PageRequest & { readonly surface: string }): Promise<Page> {
    const failure = this.#failures.get(request.surface);
    if (failure !== undefined) throw failure;
    try {
      return await this.#session.fetch(request);
    } catch (error) {
      if (error instanceof ExtractError && error.code !== 'platform_changed') {
        this.#failures.set(request.surface, error);
      }
      throw error;
    }
  }
}

function withoutNulls(pairs: readonly (readonly [string, string | null])[]): Record<string, string> {
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== null));
}
