import { endpoints } from '../../../../lib/endpoints.js';
import { brandList, brandOf, platforms } from '../../../../lib/platforms.js';
import { apiOperations, apiStatuses } from './api-operations.js';
import { readOperation, readStatuses } from './read-operations.js';
import { componentResponses, headers } from './responses.js';
import { componentSchemas, type Plain } from './schemas.js';

const description = `Get structured data from public ${brandList} pages.

Every call needs \`Authorization: Bearer <API_KEY>\`, except that \`demo=true\` returns sample data, free and without a
key. A call costs the credits of its operation (\`x-credits\`), cached or not; failed calls are free. Unknown values are \`null\`, never 0 or an empty string.`;

/** Builds the OpenAPI description of the API from the table. */
export async function openApiDocument(docsBase: string): Promise<Plain> {
  const paths: Record<string, Plain> = {};
  for (const endpoint of endpoints) paths[`/${endpoint.path}`] = { get: await readOperation(endpoint) };
  const statuses = new Set([...readStatuses, ...apiStatuses]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'extract',
      version: '1.0.0',
      summary: `Public ${brandList} pages as data`,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    security: [{ api_key: [] }],
    tags: [
      ...platforms.map((name) => ({ name, description: `Public pages of ${brandOf(name)}.` })),
      { name: 'jobs', description: 'Batch jobs and their webhooks.' },
      { name: 'account', description: 'The account of the key.' },
    ],
    externalDocs: { description: 'Documentation', url: `${docsBase}/docs` },
    paths: { ...paths, ...apiOperations },
    components: {
      securitySchemes: {
        api_key: { type: 'http', scheme: 'bearer', description: 'An API key, `xt_live_…`.' },
      },
      headers,
      responses: componentResponses(statuses, docsBase),
      schemas: componentSchemas(),
    },
  };
}
