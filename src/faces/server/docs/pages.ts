import { endpoints } from '../../../../lib/endpoints.js';
import { catalogue } from '../../../../lib/errors/extract-error.js';
import { brandOf, platforms } from '../../../../lib/platforms.js';
import type { HealthReports } from '../../../service/health/health-report.js';
import { objectNames } from '../openapi/schemas.js';
import { endpointPage } from './endpoint-page.js';
import { errorCodes, errorPage, errorsPage } from './error-pages.js';
import { type GuideName, guideMarkdown, guideSections, guideSummary } from './guides.js';
import { indexPage } from './index-page.js';
import { objectPage, objectsPage } from './object-pages.js';
import { operationPage, operations } from './operation-pages.js';

export interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** Its name in the navigation; null if only other pages link to it. */
  readonly entry: string | null;
  /** In one sentence. */
  readonly summary: string;
  /** How long a browser may cache it; five minutes if omitted. */
  readonly seconds?: number;
  /** Changes with the content; omitted if the page never changes. */
  readonly edition?: () => string;
  readonly markdown: () => string | Promise<string>;
}

export interface DocsSection {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}

/** Pages that show an endpoint's health must not be cached for long. */
const stateSeconds = 30;

function guidePage(name: GuideName, base: string): DocsPage {
  // Read on first use, so that a server starts even without its documentation. Every page lists every guide.
  let guide: ReturnType<typeof guideSummary> | undefined;
  const summary = () => {
    guide ??= guideSummary(name);
    return guide;
  };
  return {
    path: `/docs/guides/${name}`,
    get title() {
      return summary().title;
    },
    get entry() {
      return summary().title;
    },
    get summary() {
      return summary().summary;
    },
    markdown: () => guideMarkdown(name, base),
  };
}

const referencePages = (): readonly DocsPage[] => [
  {
    ...{ path: '/docs/errors', title: 'Error codes', entry: 'Error codes' },
    summary: 'Every error code, and what to do about it',
    markdown: errorsPage,
  },
  ...errorCodes.map((code) => ({
    ...{ path: `/docs/errors/${code}`, title: code, entry: null },
    summary: catalogue[code].summary,
    markdown: () => errorPage(code),
  })),
  {
    ...{ path: '/docs/objects', title: 'Objects', entry: 'Objects' },
    summary: 'Every object that the API returns',
    markdown: objectsPage,
  },
  ...objectNames().map((name) => ({
    ...{ path: `/docs/objects/${name}`, title: name, entry: null },
    summary: 'Fields of the object',
    markdown: () => objectPage(name),
  })),
];

/** Returns every page in the order of the navigation; `base` is the address used in samples. */
export function docsSections(base: string, health: HealthReports): readonly DocsSection[] {
  const guides = guideSections.map(({ title, guides: names }) => ({
    title,
    pages: names.map((name) => guidePage(name, base)),
  }));
  const [start, ...others] = guides;
  const reference = others.pop();
  const index: DocsPage = {
    ...{ path: '/docs', title: 'Documentation', entry: 'Overview' },
    summary: 'First steps, endpoints and guides',
    markdown: () => indexPage(base),
  };
  return [
    { title: 'Get started', pages: [index, ...(start?.pages ?? [])] },
    ...platforms.map((platform) => ({
      title: brandOf(platform),
      pages: endpoints
        .filter((endpoint) => endpoint.platform === platform)
        .map((endpoint) => ({
          ...{
            path: `/docs/endpoints/${endpoint.path}`,
            title: `${endpoint.title}: ${endpoint.path}`,
            entry: `${endpoint.name.slice(0, 1).toUpperCase()}${endpoint.name.slice(1)}`,
          },
          summary: endpoint.summary,
          seconds: stateSeconds,
          edition: () => JSON.stringify(health.report(endpoint)),
          markdown: () => endpointPage(endpoint, base, health.report(endpoint)),
        })),
    })),
    {
      title: 'Account and jobs',
      pages: operations.map((operation) => ({
        ...{ path: `/docs/operations/${operation.operationId}`, title: operation.name },
        entry: operation.name.replace('/v1', ''),
        summary: operation.summary,
        markdown: () => operationPage(operation, base),
      })),
    },
    ...others,
    { title: 'Reference', pages: [...(reference?.pages ?? []), ...referencePages()] },
  ];
}
