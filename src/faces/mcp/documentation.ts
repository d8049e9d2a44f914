import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { catalogue, type ErrorCode } from '../../../lib/errors/extract-error.js';
import { describe } from '../../../lib/params/describe.js';
import { fieldTable, type ObjectSchema } from '../../output/field-table.js';
import { markdownTable } from '../../output/markdown-table.js';
import { lifetime, pairSentence } from './endpoint-description.js';
import { dataSchema } from './schemas.js';

export interface DocumentationPage {
  /** Address within the documentation: `endpoints/maps/place`. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  text(): string;
}

const objectName = ({ returns }: Endpoint) => returns.meta()?.id ?? 'object';

const returned = (endpoint: Endpoint) => `${objectName(endpoint)}${endpoint.many ? '[]' : ''}`;

function endpointsText(): string {
  const rows = endpoints.map((endpoint) => [
    `\`${endpoint.path}\``,
    `\`${endpoint.operation}\``,
    endpoint.summary,
    returned(endpoint),
    String(endpoint.credits),
    lifetime(endpoint.cacheSeconds),
  ]);
  return `# Endpoints\n\n${markdownTable(['Endpoint', 'Tool', 'Summary', 'Returns', 'Credits', 'Cached for'], rows)}\n`;
}

function endpointText(endpoint: Endpoint): string {
  const rows = Object.entries(endpoint.params).map(([name, schema]) => {
    const { text, expects, default: fallback } = describe(schema);
    const required = schema.safeParse(undefined).success ? '' : 'required';
    return [`\`${name}\``, text, expects, fallback === undefined ? required : String(fallback)];
  });
  return [
    `# ${endpoint.path}`,
    `${endpoint.summary}. Tool \`${endpoint.operation}\`; HTTP \`GET /v1/${endpoint.path}\`.`,
    endpoint.description,
    `Returns ${returned(endpoint)}. Costs ${endpoint.credits} credits. Answers are cached for ${lifetime(endpoint.cacheSeconds)}.`,
    pairSentence(endpoint),
    markdownTable(['Parameter', 'Meaning', 'Takes', 'Default'], rows),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function objectText(endpoint: Endpoint): string {
  const users = endpoints.filter((other) => objectName(other) === objectName(endpoint));
  return [
    `# ${objectName(endpoint)}`,
    `Returned by ${users.map(({ operation }) => `\`${operation}\``).join(', ')}. Every key is always there; null means that the page does not say.`,
    fieldTable(dataSchema(endpoint.returns, false) as ObjectSchema),
  ]
    .join('\n\n')
    .concat('\n');
}

const codes = Object.keys(catalogue) as ErrorCode[];

function errorsText(): string {
  const rows = codes.map((code) => {
    const { type, status, summary, next } = catalogue[code];
    return [`\`${code}\``, type, String(status), summary, next];
  });
  return `# Errors\n\nFailed calls are free. An error has exactly type, code, message, docs and request_id; branch on code.\n\n${markdownTable(['Code', 'Type', 'Status', 'What happened', 'What to do'], rows)}\n`;
}

export function errorPage(code: ErrorCode): DocumentationPage {
  const { type, status, summary, next } = catalogue[code];
  return {
    path: `errors/${code}`,
    title: code,
    summary,
    text: () => `# ${code}\n\n${summary}\n\n${next}\n\nType \`${type}\`, HTTP status ${status}.\n`,
  };
}

/** Returns the listed pages: endpoints, objects, errors. `errorPage` returns the pages of single codes. */
export function documentationPages(): DocumentationPage[] {
  const objects = new Map(endpoints.map((endpoint) => [objectName(endpoint), endpoint]));
  return [
    {
      path: 'endpoints',
      title: 'Endpoints',
      summary: 'Every endpoint with its tool, price and object.',
      text: endpointsText,
    },
    ...endpoints.map((endpoint) => ({
      path: `endpoints/${endpoint.path}`,
      title: endpoint.path,
      summary: endpoint.summary,
      text: () => endpointText(endpoint),
    })),
    ...[...objects].map(([name, endpoint]) => ({
      path: `objects/${name}`,
      title: name,
      summary: `Fields of ${name}.`,
      text: () => objectText(endpoint),
    })),
    {
      path: 'errors',
      title: 'Errors',
      summary: 'Every error code and what to do about it.',
      text: errorsText,
    },
  ];
}
