import type { Endpoint } from '../../../../lib/endpoint.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { BatchShares } from '../../../service/health/batch-shares.js';
import type { CommandExtractor } from '../context.js';

export interface CountedClient {
  readonly client: Pick<CommandExtractor, 'answer' | 'ledger' | 'config'>;
  /** Returns a sentence for each field missing more often than usual. Never rejects. */
  compare(): Promise<readonly string[]>;
}

/** Counts the fields in a batch's answers, and compares them at its end. */
export function countFields(endpoint: Endpoint, extractor: CommandExtractor): CountedClient {
  const shares = new BatchShares(endpoint);
  const { config } = extractor;
  return {
    client: {
      config,
      ledger: () => extractor.ledger(),
      async answer(row, params, options) {
        const answer = await extractor.answer(row, params, options);
        // Known items were not read again, so they lack the fields of their own pages.
        if (options?.knownItems === undefined || answer.brief !== true) shares.add(answer);
        return answer;
      },
    },
    async compare() {
      try {
        const { compareBatch, minBatchAnswers, publishedShares } = await import(
          '../../../service/health/batch-comparison.js'
        );
        // Saved pages say nothing about the current ones.
        if (shares.answers < minBatchAnswers || config.fromPages !== undefined) return [];
        if (config.baseUrl !== undefined) {
          return shares.comparedWith(await publishedShares(endpoint, config, config.baseUrl));
        }
        const { openStore } = await import('../../../compose/open-store.js');
        const store = await openStore(config.home, systemClock, 0);
        try {
          return await compareBatch(endpoint, shares, store.health, systemClock);
        } finally {
          await store.close();
        }
      } catch {
        // A failed comparison does not affect the answers.
        return [];
      }
    },
  };
}
