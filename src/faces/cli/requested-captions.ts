import type { Endpoint } from '../../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../../lib/errors/extract-error.js';
import { captionsIn, hasCaptions, type MediaRef } from '../../files/media/media-items.js';
import { itemKey } from '../../files/result-files/item-key.js';
import type { CommandExtractor, Context } from './context.js';

/** Errors that would end every further call. */
const endsAll: ReadonlySet<ExtractError['type']> = new Set(['authentication', 'permission', 'billing']);

/** Fetches the captions of items whose results lack them, requesting each item once more. */
export class RequestedCaptions {
  readonly #endpoint: Endpoint;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #extractor: CommandExtractor;
  readonly #asSample: { readonly demo?: true };
  readonly #failures = new Map<ErrorCode, number>();
  #charged = 0;

  /** `results`: the endpoint of the items; `demo`: they are samples. */
  constructor(results: Endpoint, { endpoints, signal }: Context, extractor: CommandExtractor, demo: boolean) {
    const endpoint = endpoints.find(
      (one) => !one.many && hasCaptions(one) && one.platform === results.platform,
    );
    const key = itemKey(results);
    if (endpoint === undefined || key === null)
      throw new Error(`no endpoint returns an item of ${results.path}`);
    this.#endpoint = endpoint;
    this.#key = key;
    this.#signal = signal;
    this.#extractor = extractor;
    this.#asSample = demo ? { demo: true } : {};
  }

  get failed(): number {
    return [...this.#failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns the captions of the items. Throws the signal's reason, and any error that would end every further call. */
  async of(items: readonly unknown[]): Promise<readonly MediaRef[]> {
    return (await Promise.all(items.map((item) => this.#ofItem(item)))).flat();
  }

  async #ofItem(item: unknown): Promise<readonly MediaRef[]> {
    const id = (item as Readonly<Record<string, unknown>>)[this.#key];
    if (typeof id !== 'string') return [];
    try {
      const params = { [this.#key]: id, sources: true, ...this.#asSample };
      const { captions, meta } = await this.#extractor.answer(this.#endpoint, params, {
        signal: this.#signal,
      });
      this.#charged += meta.credits_charged;
      return captionsIn(this.#endpoint, [item], captions);
    } catch (error) {
      if (this.#signal.aborted || !(error instanceof ExtractError) || endsAll.has(error.type)) throw error;
      this.#failures.set(error.code, (this.#failures.get(error.code) ?? 0) + 1);
      return [];
    }
  }

  /** “Captions: 12 credits; 2 videos could not be requested: platform_restricted (2)” */
  text(): string {
    const codes = [...this.#failures].map(([code, count]) => `${code} (${count})`).join(', ');
    const { failed } = this;
    const items = failed === 1 ? '1 item' : `${failed} items`;
    const failures = failed === 0 ? '' : `; ${items} could not be requested: ${codes}`;
    return `Captions: ${this.#charged} credits${failures}\n`;
  }
}
