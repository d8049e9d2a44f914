import { createHash } from 'node:crypto';
import type { CachedAnswer } from '../cache/cache.js';
import { type CallRequest, parseCallRequest } from '../call/call-request.js';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import type { Platform } from '../platforms.js';
import type { PageItemSource } from '../read/item-source.js';
import { itemKeys, requestKeys } from './item-keys.js';
import { type Subject, subjectKeys } from './subject.js';
import { Traces } from './traces.js';

export class SuppressedSubjects {
  readonly #keys = new Map<Platform, Set<string>>();
  /** Filtered answers. The memory tier of the cache returns the same objects repeatedly. */
  readonly #known = new WeakMap<CachedAnswer, CachedAnswer>();

  constructor(subjects: readonly Subject[]) {
    for (const subject of subjects) {
      const keys = this.#keys.get(subject.platform) ?? new Set();
      this.#keys.set(subject.platform, keys);
      for (const key of subjectKeys(subject)) keys.add(key);
    }
  }

  /** Throws `subject_suppressed` if the call requests one of them. */
  refuse({ endpoint, identity, params }: CallRequest): void {
    if (this.isRequested(endpoint, identity, params)) throw new ExtractError('subject_suppressed');
  }

  /** Returns true if one of them is requested. `params` are the parameters as received. */
  isRequested(
    endpoint: Endpoint,
    identity: CallRequest['identity'],
    params: Readonly<Record<string, unknown>>,
  ): boolean {
    return this.#has(endpoint, () => requestKeys(endpoint, identity, params));
  }

  /** The same for the parameters of a stored input. Unreadable parameters request no subject. */
  isSubjectOf(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): boolean {
    try {
      const { identity, params: checked } = parseCallRequest(endpoint, params, true);
      return this.isRequested(endpoint, identity, checked);
    } catch (error) {
      if (error instanceof ExtractError) return false;
      throw error;
    }
  }

  /** Returns a text that changes with a platform's suppressed subjects; empty for none. */
  edition({ platform }: Endpoint): string {
    const keys = [...(this.#keys.get(platform) ?? [])].sort();
    if (keys.length === 0) return '';
    return createHash('sha256').update(JSON.stringify(keys)).digest('hex').slice(0, 16);
  }

  /** Returns a matcher for texts that name suppressed subjects of a platform. */
  tracesOn({ platform }: Endpoint): Traces {
    return new Traces([...(this.#keys.get(platform) ?? [])].map((key) => ({ platform, key })));
  }

  /** Returns true if the item is one of them, or was published by one of them. */
  names(endpoint: Endpoint, item: unknown, source: PageItemSource | undefined): boolean {
    return this.#has(endpoint, () => itemKeys(endpoint, item, source));
  }

  /** Returns the answer without their items. Throws `subject_suppressed` if the answer itself is one of them. */
  leaveOut(endpoint: Endpoint, answer: CachedAnswer): CachedAnswer {
    if (!this.#keys.has(endpoint.platform)) return answer;
    const keys = this.#known.get(answer);
    if (keys !== undefined) return keys;
    const rest = this.#without(endpoint, answer);
    this.#known.set(answer, rest);
    return rest;
  }

  #has({ platform }: Endpoint, keysOf: () => readonly string[]): boolean {
    const keys = this.#keys.get(platform);
    return keys !== undefined && keysOf().some((key) => keys.has(key));
  }

  #without(endpoint: Endpoint, answer: CachedAnswer): CachedAnswer {
    const data = JSON.parse(answer.data) as unknown;
    const items = endpoint.many ? (data as readonly unknown[]) : [data];
    const sources = JSON.parse(answer.sources ?? '[]') as readonly PageItemSource[];
    const remaining = items.flatMap((item, index) =>
      this.names(endpoint, item, sources[index]) ? [] : [index],
    );
    if (remaining.length === items.length) return answer;
    if (!endpoint.many) throw new ExtractError('subject_suppressed');
    return {
      ...answer,
      data: JSON.stringify(remaining.map((index) => items[index])),
      sources: JSON.stringify(remaining.map((index) => sources[index])),
      places: remaining.map((index) => answer.places?.[index] ?? index),
    };
  }
}
