import type { Services } from '../../lib/call/call.js';
import type { PageSource } from '../../lib/web/page-source.js';

/** A source of pages that tells of each one: asked for, read. `page` words what a page at an address is. */
function told(
  source: PageSource,
  page: (url: string) => string,
  tell: (message: string) => void,
): PageSource {
  return {
    open(site, signal) {
      const visit = source.open(site, signal);
      return {
        async fetch(request) {
          tell(`Asking for ${page(request.url)}`);
          const answer = await visit.fetch(request);
          tell(`Read ${page(answer.url)}`);
          return answer;
        },
        cookie: (url, name) => visit.cookie(url, name),
        end: (error) => visit.end(error),
      };
    },
    close: () => source.close(),
  };
}

const platformPage = (url: string) =>
  URL.canParse(url) ? `a page of ${new URL(url).host}` : 'a page of the platform';

/** The same services, telling of each page that a call asks for and gets. */
export function tellingServices(services: Services, tell: (message: string) => void): Services {
  return {
    ...services,
    pages: async () => told(await services.pages(), platformPage, tell),
    async sample(endpoint, identity) {
      const sample = await services.sample(endpoint, identity);
      return { ...sample, pages: told(sample.pages, () => 'a sample page', tell) };
    },
  };
}
