import { ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';
import { version } from '../runtime/version.js';
import type { PageEvidence, RecordedExchange, RecordedFetch, RecordedReading } from '../web/page-evidence.js';
import type { Page, PageRequest, PageSource, WireExchange } from '../web/page-source.js';
import { wrapFetches } from '../web/wrap-fetches.js';
import type { FetchedAnswer, FetchRequest } from './fetch-answer.js';

/** Records the pages of one reading as they arrive. */
class ReadingRecorder {
  readonly fetches: RecordedFetch[] = [];
  readonly #evidence: PageEvidence;
  readonly #clock: Clock;
  /** The error of the evidence store. A reader may tolerate a missing page, but no answer is returned without its record. */
  #fault: { readonly error: unknown } | undefined;

  readonly #sample: boolean;

  constructor(evidence: PageEvidence, clock: Clock, sample: boolean) {
    this.#evidence = evidence;
    this.#sample = sample;
    this.#clock = clock;
  }

  /** Records each page before the reader receives it. */
  keeping(source: PageSource): PageSource {
    return wrapFetches(source, (fetch, { runsPages }) => async (request) => {
      const by = runsPages ? 'browser' : 'network';
      const { url, method = 'GET', body = null } = request;
      const about = { url, method, body, by } as const;
      const wire: WireExchange[] = [];
      const at = this.#clock.now();
      let page: Page;
      try {
        page = await fetch({ ...request, onExchange: (exchange) => wire.push(exchange) });
      } catch (error) {
        for (const exchange of wire) await this.#add({ ...exchange, by });
        if (error instanceof ExtractError) {
          this.fetches.push({ ...about, failure: { code: error.code, message: error.message } });
        }
        throw error;
      }
      const exchanges = wire.length > 0 ? wire : [exchangeOf(request, page, at)];
      let record: string | undefined;
      for (const exchange of exchanges) {
        const finalUrl = wire.length > 0 ? undefined : page.url;
        record = await this.#add({ ...exchange, by, finalUrl });
      }
      this.fetches.push({ ...about, ...(record === undefined ? {} : { record }) });
      return page;
    });
  }

  /** Records the request. Returns the records of the reading: its own before those of the pages. */
  async end(reading: Omit<RecordedReading, 'fetches' | 'version'>): Promise<readonly string[]> {
    const file = await this.#keep(() =>
      this.#evidence.addReading({ ...reading, fetches: this.fetches, version }),
    );
    return [file, ...this.fetches.flatMap(({ record }) => record ?? [])];
  }

  #add(exchange: RecordedExchange): Promise<string> {
    return this.#keep(() =>
      this.#evidence.addExchange(this.#sample ? { ...exchange, by: 'sample' } : exchange),
    );
  }

  async #keep(add: () => Promise<string>): Promise<string> {
    if (this.#fault !== undefined) throw this.#fault.error;
    try {
      return await add();
    } catch (error) {
      this.#fault = { error };
      throw error;
    }
  }
}

/** Reconstructs the exchange of a page whose source does not report it: a browser's, or a recorded one. */
function exchangeOf({ url, method = 'GET', headers = {}, body }: PageRequest, page: Page, at: number) {
  return {
    ...{ at, url, method, requestHeaders: headers, requestBody: body ?? null },
    ...{ status: page.status, headers: page.headers, body: page.body },
  };
}

/**
 * Reads an answer and records all its pages, then the request and the outcome. The answer or the error names their
 * records. Throws the error of the evidence store if something could not be recorded.
 */
export async function fetchRecorded(
  evidence: PageEvidence,
  { endpoint, identity, limit, position, overrides }: FetchRequest,
  pages: PageSource,
  clock: Clock,
  fetch: (pages: PageSource) => Promise<FetchedAnswer>,
  sample = false,
): Promise<FetchedAnswer> {
  const recorder = new ReadingRecorder(evidence, clock, sample);
  const request = {
    ...{ endpoint: endpoint.path, identity, limit, position },
    ...(sample ? { sample } : {}),
    ...(overrides === undefined ? {} : { overrides }),
  };
  let fetched: FetchedAnswer;
  try {
    fetched = await fetch(recorder.keeping(pages));
  } catch (error) {
    // A refusal within a cooldown sent no request.
    if (!(error instanceof ExtractError) || recorder.fetches.length === 0) throw error;
    const fetched_at = new Date(clock.now()).toISOString();
    throw error.withRecords(await recorder.end({ ...request, fetched_at, next: null, error: error.code }));
  }
  const { fetchedAt: fetched_at, next } = fetched.answer;
  return { ...fetched, records: await recorder.end({ ...request, fetched_at, next, error: null }) };
}
