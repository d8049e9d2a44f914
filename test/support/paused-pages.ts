import type { PageSource } from '../../lib/web/page-source.js';

/** Pages that are answered once `resume` is called; `starting` resolves at the first request. */
export function pausedPages(pages: PageSource) {
  let onFetch = () => {};
  let resume = () => {};
  const starting = new Promise<void>((resolve) => {
    onFetch = resolve;
  });
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const source: PageSource = {
    ...pages,
    open(site, signal) {
      const visit = pages.open(site, signal);
      return {
        ...visit,
        async fetch(request) {
          onFetch();
          await resumed;
          return visit.fetch(request);
        },
      };
    },
  };
  return { source, begun: starting, goOn: () => resume() };
}
