import assert from 'node:assert/strict';
import { type CheerioAPI, load } from 'cheerio';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { CookieJar } from 'tough-cookie';

const origin = 'http://localhost';

/** A page as a browser without script sees it. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly $: CheerioAPI;
  /** The final URL after all redirects. */
  readonly url: string;
}

type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

let browsers = 0;

/** A browser without script, in process: it keeps cookies, follows redirects and sends forms with what is in them. */
export class Browser {
  readonly #app: FastifyInstance;
  readonly jar = new CookieJar();
  /** Each browser is somewhere else: some limits count by where requests come from. */
  readonly #address: string;

  constructor(app: FastifyInstance) {
    this.#app = app;
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

  async #follow(options: InjectOptions & { readonly url: string }): Promise<Page> {
    let answer = await this.send(options);
    let { url } = options;
    for (let hops = 0; answer.statusCode >= 300 && answer.statusCode < 400; hops += 1) {
      assert.ok(hops < 10, `${url} leads in circles`);
      url = String(answer.headers.location);
      assert.match(url, /^\/(?!\/)/, 'a redirect stays on this server');
      answer = await this.send({ method: 'GET', url });
    }
    const { statusCode: status, headers, body: text } = answer;
    return { status, headers, text, $: load(text), url };
  }

  get(url: string): Promise<Page> {
    return this.#follow({ method: 'GET', url });
  }

  /** Opens the link of a sign-in mail and presses the button of its page. */
  async openLink(token: string): Promise<Page> {
    return this.submit(await this.get(`/sign-in/confirm?token=${token}`), 'main form');
  }

  /** Sends values as a form does. */
  post(url: string, values: Values, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
      for (const one of [value ?? []].flat()) body.append(name, one);
    }
    return this.#follow({
      method: 'POST',
      url,
      payload: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
    });
  }

  /** Fills a form of a page in and sends it, with its token and everything it holds. Undefined leaves a field out. */
  submit({ $, url }: Page, selector: string, values: Values = {}): Promise<Page> {
    const form = $(selector);
    assert.equal(form.length, 1, `${url} has one ${selector}`);
    const fields: Record<string, string | string[]> = {};
    for (const { name, value } of form.serializeArray()) fields[name] = [fields[name] ?? [], value].flat();
    for (const name of Object.keys(values)) {
      assert.ok(form.find(`[name="${name}"]`).length > 0, `${selector} has no field ${name}`);
    }
    const filled = { ...fields, ...values };
    const action = form.attr('action') ?? url;
    if (form.attr('method')?.toLowerCase() === 'post') return this.post(action, filled);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filled)) {
      for (const one of [value ?? []].flat()) query.append(name, one);
    }
    return this.get(`${action.split('?', 1)[0]}?${query}`);
  }
}
