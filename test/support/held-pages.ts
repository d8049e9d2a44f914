import type { PageSource } from '../../lib/web/page-source.js';

/** Pages that are answered once `goOn` is called; `begun` resolves when the first of them is asked for. */
export function heldPages(pages: PageSource) {
  let asked = () => {};
  let goOn = () => {};
  const begun = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const source: PageSource = {
    ...pages,
    open(site, signal) {
      const visit = pages.open(site, signal);
      return {
        ...visit,
        async fetch(request) {
          asked();
          await held;
          return visit.fetch(request);
        },
      };
    },
  };
  return { source, begun, goOn: () => goOn() };
}
