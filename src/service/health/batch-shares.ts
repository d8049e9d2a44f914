import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { percent } from './endpoint-state.js';
import { type BaselineShare, hasFallen, shareOf, singleNats } from './fall-test.js';
import { fieldText, filledShares, isPartOf, type WatchedField, watchedFields } from './watched-fields.js';

/** Counts the fields in a batch's answers that were read live. */
export class BatchShares {
  readonly #fields: readonly WatchedField[];
  readonly #filled: number[];
  #answers = 0;

  constructor(endpoint: Endpoint) {
    this.#fields = watchedFields(endpoint);
    this.#filled = this.#fields.map(() => 0);
  }

  get answers(): number {
    return this.#answers;
  }

  /** Answers with each field. */
  get filled(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#fields.map(({ name }, index) => [name, this.#filled[index] ?? 0]));
  }

  /** Counts an answer. Ignores cached answers and samples, which say nothing about today's pages. */
  add({ source, json }: Answer): void {
    if (source !== 'platform') return;
    const shares = filledShares(this.#fields, JSON.parse(json));
    if (shares === null) return;
    this.#answers += 1;
    for (const [index, share] of shares.entries()) this.#filled[index] = (this.#filled[index] ?? 0) + share;
  }

  /** Returns a sentence for each field that is missing more often than usual, by more than chance. */
  comparedWith(baselineOf: (field: string) => BaselineShare | null): readonly string[] {
    const fallen: string[] = [];
    return this.#fields.flatMap(({ name }, index) => {
      const now = { answers: this.#answers, filled: this.#filled[index] ?? 0 };
      if (fallen.some((other) => isPartOf(name, other))) return [];
      const usual = baselineOf(name);
      if (usual === null || !hasFallen(usual, now, singleNats)) return [];
      fallen.push(name);
      const answers = this.#answers.toLocaleString('en-US');
      return [
        `${fieldText(name)} in ${percent(shareOf(now))} of ${answers} answers; usually ${percent(shareOf(usual))}.`,
      ];
    });
  }
}
