import type { NewsFilter } from '../../batch-files/batch-run.js';
import type { OnSaved } from '../../batch-files/output.js';
import type { NewsRun } from '../../news/news-run.js';

/** A run's news as a batch asks for them, and what is to be called when its lines are safe. */
export function batchNews(run: NewsRun): { readonly filter: NewsFilter; readonly onSaved: OnSaved } {
  return {
    filter: {
      readsOn: run.readsOn,
      async newsOf(result) {
        const { item, json, prints } = result;
        if (json === null || item.params === null) return result;
        const news = await run.newsOf(item.index, item.params, item.texts === true, { json, prints });
        return news === null ? null : { ...result, ...news };
      },
    },
    onSaved: ({ totals }) => run.remember(totals.inputs),
  };
}
