import type { ReactElement } from 'react';
import { endpoints } from '../../../../lib/endpoints.js';
import { catalogue, type ErrorCode } from '../../../../lib/errors/extract-error.js';
import type { HealthReports } from '../../../service/health/health-report.js';
import { endpointPage } from './endpoint-page.js';
import { ErrorPage, ErrorsPage } from './error-pages.js';
import { type GuideName, guideHtml, guideNames, guideSummary } from './guides.js';
import { IndexPage } from './index-page.js';
import { ObjectsPage, objectNames, objectPage } from './object-pages.js';
import { operationPage, operations } from './operation-pages.js';
import { Page } from './parts.js';

/** One page of the documentation. */
export interface DocsPage {
  /** Where it is served, such as `/docs/errors`. */
  readonly path: string;
  readonly title: string;
  /** What it is about, in one sentence. */
  readonly summary: string;
  /** For how long a browser may keep it; five minutes when left out. */
  readonly seconds?: number;
  readonly render: () => ReactElement | Promise<ReactElement>;
}

/** A guide: a file of `docs/`. */
function GuidePage({ name, base }: { readonly name: GuideName; readonly base: string }) {
  return (
    <Page title={guideSummary(name).title}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the file is part of the program */}
      <div dangerouslySetInnerHTML={{ __html: guideHtml(name, base) }} />
    </Page>
  );
}

/** Pages that show the state of an endpoint must not show an old one for long. */
const stateSeconds = 30;

/** Every page in the order of a table of contents; `base` is the address that samples ask. */
export function docsPages(base: string, health: HealthReports): readonly DocsPage[] {
  return [
    {
      path: '/docs',
      title: 'Documentation',
      summary: 'First steps, endpoints and guides',
      render: () => <IndexPage base={base} />,
    },
    ...guideNames.map((name) => ({
      path: `/docs/guides/${name}`,
      // Read when asked for: a server starts without its documentation at hand, too.
      get title() {
        return guideSummary(name).title;
      },
      get summary() {
        return guideSummary(name).summary;
      },
      render: () => <GuidePage name={name} base={base} />,
    })),
    ...endpoints.map((endpoint) => ({
      path: `/docs/endpoints/${endpoint.path}`,
      title: endpoint.path,
      summary: endpoint.summary,
      seconds: stateSeconds,
      render: () => endpointPage(endpoint, base, health.report(endpoint)),
    })),
    ...operations.map((operation) => ({
      path: `/docs/operations/${operation.operationId}`,
      title: operation.name,
      summary: operation.summary,
      render: () => operationPage(operation, base),
    })),
    {
      path: '/docs/objects',
      title: 'Objects',
      summary: 'Every object that an answer may hold',
      render: () => <ObjectsPage />,
    },
    ...objectNames().map((name) => ({
      path: `/docs/objects/${name}`,
      title: name,
      summary: 'Fields of the object',
      render: () => objectPage(name),
    })),
    {
      path: '/docs/errors',
      title: 'Errors',
      summary: 'Every error code, and what to do about it',
      render: () => <ErrorsPage />,
    },
    ...(Object.keys(catalogue) as ErrorCode[]).map((code) => ({
      path: `/docs/errors/${code}`,
      title: code,
      summary: catalogue[code].summary,
      render: () => <ErrorPage code={code} />,
    })),
  ];
}
