import { ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';
import { version } from '../runtime/version.js';
import type { ArchivedExchange, ArchivedFetch, ArchivedReading, PageArchive } from '../web/page-archive.js';
import type { Page, PageRequest, PageSource, WireExchange } from '../web/page-source.js';
import { wrapFetches } from '../web/wrap-fetches.js';
import type { FetchedAnswer, FetchRequest } from './fetch-answer.js';

/** Archives the pages of one reading as they arrive. */
class ReadingArchive {
  readonly fetches: ArchivedFetch[] = [];
  readonly #archive: PageArchive;
  readonly #clock: Clock;
  /** The archive's own error. A reader may tolerate a missing page, but no answer is returned without its record. */
  #fault: { readonly error: unknown } | undefined;

  readonly #sample: boolean;

  constructor(archive: PageArchive, clock: Clock, sample: boolean) {
    this.#archive = archive;
    this.#sample = sample;
    this.#clock = clock;
  }

  /** Archives each page before the reader receives it. */
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

  /** Archives the request. Returns the records of the reading: its own before those of the pages. */
  async end(reading: Omit<ArchivedReading, 'fetches' | 'version'>): Promise<readonly string[]> {
    const file = await this.#keep(() =>
      this.#archive.addReading({ ...reading, fetches: this.fetches, version }),
    );
    return [file, ...this.fetches.flatMap(({ record }) => record ?? [])];
  }

  #add(exchange: ArchivedExchange): Promise<string> {
    return this.#keep(() =>
      this.#archive.addExchange(this.#sample ? { ...exchange, by: 'sample' } : exchange),
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
 * Reads an answer and archives all its pages, then the request and the outcome. The answer or the error names their
 * records. Throws the archive's own error if something could not be archived.
 */
export async function fetchArchived(
  archive: PageArchive,
  { endpoint, identity, limit, position, overrides }: FetchRequest,
  pages: PageSource,
  clock: Clock,
  fetch: (pages: PageSource) => Promise<FetchedAnswer>,
  sample = false,
): Promise<FetchedAnswer> {
  const recorder = new ReadingArchive(archive, clock, sample);
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
