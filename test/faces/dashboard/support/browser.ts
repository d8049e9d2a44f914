import assert from 'node:assert/strict';
import { type CheerioAPI, load } from 'cheerio';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { CookieJar } from 'tough-cookie';
import type { MemoryMailer } from '../../../support/memory-mailer.js';
import { assertPage } from './assert-page.js';

const origin = 'http://localhost';

/** A page as a browser without script sees it. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly $: CheerioAPI;
  /** The token of its forms. */
  readonly csrf: string | undefined;
  /** The final URL after all redirects. */
  readonly url: string;
}

type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

let browsers = 0;

function queryOf(values: Values): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value ?? []].flat()) query.append(name, one);
  }
  return query;
}

/** Links of a page that a browser does not follow. */
type Unfollowed = (page: Page) => readonly string[];

/**
 * A browser without script, in process: it keeps cookies, follows redirects and sends forms with what is in them. It
 * checks each page that it shows, and follows each of their links once.
 */
export class Browser {
  readonly #app: FastifyInstance;
  readonly jar = new CookieJar();
  /** Each browser is somewhere else: some limits count by where requests come from. */
  readonly #address: string;
  readonly #unfollowed: Unfollowed;
  /** Links that were followed already; pages share most of theirs. */
  readonly #followed = new Set<string>();

  constructor(app: FastifyInstance, unfollowed: Unfollowed = () => []) {
    this.#app = app;
    this.#unfollowed = unfollowed;
    browsers += 1;
    this.#address = `198.51.${browsers >> 8}.${browsers & 255}`;
  }

  /** One request, its redirects not followed. */
  async send(options: InjectOptions & { readonly url: string }) {
    const address = `${origin}${options.url}`;
    const answer = await this.#app.inject({
      remoteAddress: this.#address,
      ...options,
      headers: { host: 'localhost', cookie: this.jar.getCookieStringSync(address), ...options.headers },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.jar.setCookieSync(line, address);
    return answer;
  }

  async #load(options: InjectOptions & { readonly url: string }): Promise<Page> {
    let answer = await this.send(options);
    let { url } = options;
    for (let hops = 0; answer.statusCode >= 300 && answer.statusCode < 400; hops += 1) {
      assert.ok(hops < 10, `${url} leads in circles`);
      url = String(answer.headers.location);
      assert.match(url, /^\/(?!\/)/, 'a redirect stays on this server');
      answer = await this.send({ method: 'GET', url });
    }
    const { statusCode: status, headers, body: text } = answer;
    const $ = load(text);
    return { status, headers, text, $, url, csrf: $('[name=_csrf]').first().attr('value') };
  }

  /** Loads a page and checks it. */
  async #open(options: InjectOptions & { readonly url: string }): Promise<Page> {
    const page = await this.#load(options);
    if (!String(page.headers['content-type']).startsWith('text/html')) return page;
    const unfollowed = this.#unfollowed(page);
    await assertPage(page, async (link) => {
      if (unfollowed.some((one) => link === one || link.startsWith(`${one}/`))) return 200;
      if (this.#followed.has(link)) return 200;
      this.#followed.add(link);
      return (await this.#load({ method: 'GET', url: link })).status;
    });
    return page;
  }

  get(url: string): Promise<Page> {
    return this.#open({ method: 'GET', url });
  }

  /** Requests a link by mail, and opens it. */
  async signIn(email: string, mailer: MemoryMailer): Promise<Page> {
    await this.submit(await this.get('/sign-in'), 'form', { email });
    return this.openLink(mailer.token());
  }

  /** Opens the link of a sign-in mail and presses the button of its page. */
  async openLink(token: string): Promise<Page> {
    return this.submit(await this.get(`/sign-in/confirm?token=${token}`), 'main form');
  }

  /** Sends values as a form does. */
  post(url: string, values: Values, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.#open({
      method: 'POST',
      url,
      payload: queryOf(values).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
    });
  }

  /**
   * Fills a form of a page in and sends it, with its token and everything it holds. Undefined leaves a field out. A form
   * that takes a file is sent with one: by default, as if none was chosen.
   */
  async submit({ $, url }: Page, selector: string, values: Values = {}, file?: File): Promise<Page> {
    const form = $(selector);
    assert.equal(form.length, 1, `${url} has one ${selector}`);
    const fields: Record<string, string | string[]> = {};
    for (const { name, value } of form.serializeArray()) fields[name] = [fields[name] ?? [], value].flat();
    for (const name of Object.keys(values)) {
      assert.ok(form.find(`[name="${name}"]`).length > 0, `${selector} has no field ${name}`);
    }
    const filled = { ...fields, ...values };
    const action = form.attr('action') ?? url;
    if (form.attr('enctype') === 'multipart/form-data') return this.#upload(action, filled, file);
    if (form.attr('method')?.toLowerCase() === 'post') return this.post(action, filled);
    return this.get(`${action.split('?', 1)[0]}?${queryOf(filled)}`);
  }

  async #upload(url: string, values: Values, file = new File([], '')): Promise<Page> {
    const body = new FormData();
    for (const [name, value] of queryOf(values)) body.append(name, value);
    body.append('file', file);
    const message = new Response(body);
    return this.#open({
      ...{ method: 'POST', url, payload: Buffer.from(await message.arrayBuffer()) },
      headers: { 'content-type': String(message.headers.get('content-type')), origin },
    });
  }
}
