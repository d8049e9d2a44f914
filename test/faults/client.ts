import { Agent, request } from 'undici';

/** A complete answer. */
export interface ClientAnswer {
  readonly id: string;
  readonly status: number;
  readonly charged: number;
  /** The error's code; null for an answer. */
  readonly code: string | null;
  /** The error's message; null for an answer. */
  readonly message: string | null;
}

interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at what they asked for
  readonly body: any;
}

/** A client that remembers every complete answer. */
export class Client {
  readonly answered: ClientAnswer[] = [];
  /** Requests without an answer: the server was killed, or its disk was full. */
  cut = 0;
  readonly #agent = new Agent({ connections: 32, headersTimeout: 60_000, bodyTimeout: 60_000 });
  readonly #secret: string;
  url: string;

  constructor(url: string, secret: string) {
    this.url = url;
    this.#secret = secret;
  }

  async get(path: string): Promise<HttpAnswer> {
    return this.#ask('GET', path);
  }

  /** The text of an answer or an error. */
  async text(path: string): Promise<string> {
    return (await this.#send('GET', path)).text;
  }

  /** Requests a profile, which is charged, and remembers a complete answer. Null if there is none. */
  async profile(name: string, more = ''): Promise<ClientAnswer | null> {
    try {
      const { status, body } = await this.#ask('GET', `/v1/shortvideo/profile?username=${name}${more}`);
      const answered = {
        ...{ id: (body.meta ?? body.error).request_id, status },
        ...{ charged: body.meta?.credits_charged ?? 0, code: body.error?.code ?? null },
        message: body.error?.message ?? null,
      };
      this.answered.push(answered);
      return answered;
    } catch {
      this.cut += 1;
      return null;
    }
  }

  /** Why the last job was not created: the answer, or the reason that there was none. */
  jobRefusal = '';

  /** Creates a job, once per key however often it is requested. Null without an answer. */
  async job(key: string, names: readonly string[], webhook?: string): Promise<string | null> {
    const inputs = names.map((username) => ({ username }));
    try {
      const { status, body } = await this.#ask('POST', '/v1/jobs', key, {
        endpoint: 'shortvideo/profile',
        inputs,
        ...(webhook === undefined ? {} : { webhook_url: webhook }),
      });
      if (status === 202) return body.data.id;
      this.jobRefusal = `${status} ${body.error?.message}`;
      return null;
    } catch (cause) {
      this.jobRefusal = String(cause);
      return null;
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #ask(method: 'GET' | 'POST', path: string, key?: string, body?: object): Promise<HttpAnswer> {
    const { status, text } = await this.#send(method, path, key, body);
    return { status, body: JSON.parse(text) };
  }

  async #send(method: 'GET' | 'POST', path: string, key?: string, body?: object) {
    const answer = await request(this.url + path, {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${this.#secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }
}

/** Sends this many concurrent requests, with new and repeated names, until stopped. */
export function load(client: Client, lanes: number, random: () => number): { stop(): Promise<void> } {
  let isOn = true;
  let count = 0;
  const lane = async () => {
    while (isOn) {
      count += 1;
      const isNew = random() < 0.3;
      const name = isNew ? `name${count}.${Math.floor(random() * 1e6)}` : `known${Math.floor(random() * 40)}`;
      const before = client.cut;
      await client.profile(name, random() < 0.05 ? '&fresh=true' : '');
      // Nothing listens: retry, but not as fast as possible.
      if (client.cut > before) await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    async stop() {
      isOn = false;
      await running;
    },
  };
}
