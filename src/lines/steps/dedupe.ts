import * as z from 'zod';
import { contentKey } from '../../files/result-files/content-key.js';
import { quantity } from '../../output/number-text.js';
import { keepItems, type Line } from '../line.js';
import { type Journal, parsedSources, type Step } from '../step.js';

interface DedupeValues {
  readonly dedupe?: boolean | undefined;
}

/** Leaves out items that another input of the run has already returned. */
export const dedupe: Step<DedupeValues> = {
  name: 'dedupe',
  kinds: ['call', 'batch', 'convert'],
  options: {
    dedupe: { shape: () => z.boolean(), help: 'Omit items that another input of the run already returned' },
  },
  request({ dedupe: isWanted }, { endpoint }) {
    if (isWanted !== true) return null;
    return {
      needsSources: true,
      lack: 'an item that is not a repetition',
      open({ journal }) {
        const returnedKeys = new Set<string>();
        let memory: Journal | null = null;
        let count = 0;
        return {
          identity: { dedupe: true },
          async begin(run) {
            memory = await journal('given', run, ({ texts }) => {
              for (const key of texts as readonly string[]) returnedKeys.add(key);
            });
          },
          async apply<L extends Line>(line: L): Promise<L> {
            if (line.json === null) return line;
            const data: unknown = JSON.parse(line.json);
            const items = endpoint.many ? (data as readonly unknown[]) : [data];
            const sources = parsedSources(line);
            const keys = items.map((item, at) => sources[at]?.id ?? contentKey(item));
            const keeps = keys.map((key) => !returnedKeys.has(key) && returnedKeys.add(key) !== undefined);
            count += keeps.filter((keep) => !keep).length;
            await memory?.add({ index: line.item.index, texts: keys.filter((_, at) => keeps[at] === true) });
            return keepItems(line, keeps, endpoint.many);
          },
          summary: () => (count === 0 ? [] : [`Skipped ${quantity(count, 'item')} that another input gave.`]),
          close: async () => memory?.close(),
        };
      },
    };
  },
};
