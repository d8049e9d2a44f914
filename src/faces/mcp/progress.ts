import type { Services } from '../../../lib/call/call.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { wrapFetches } from '../../../lib/web/wrap-fetches.js';

/** Wraps a source to report each page before and after its fetch. */
function reportingSource(
  source: PageSource,
  describe: (url: string) => string,
  onProgress: (message: string) => void,
): PageSource {
  return wrapFetches(source, (fetch) => async (request) => {
    onProgress(`Asking for ${describe(request.url)}`);
    const page = await fetch(request);
    onProgress(`Read ${describe(page.url)}`);
    return page;
  });
}

const platformPage = (url: string) =>
  URL.canParse(url) ? `a page of ${new URL(url).host}` : 'a page of the platform';

/** Returns the same services, reporting each page that a call fetches. */
export function reportingServices(services: Services, onProgress: (message: string) => void): Services {
  return {
    ...services,
    pages: async () => reportingSource(await services.pages(), platformPage, onProgress),
    async sample(endpoint, identity) {
      const sample = await services.sample(endpoint, identity);
      return { ...sample, pages: reportingSource(sample.pages, () => 'a sample page', onProgress) };
    },
  };
}
