import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { isErrorCode } from '../../../lib/errors/extract-error.js';
import { type DocumentationPage, documentationPages, errorPage } from './documentation.js';
import { refuseCursor } from './refuse-cursor.js';
import { tools } from './tools.js';

const base = 'extract://docs/';
const mimeType = 'text/markdown';

const schemasBase = 'extract://schemas/';
const schemasType = 'application/json';

/** Returns a tool's complete definition as JSON; undefined if no tool has that address. */
function schemasAt(uri: string): string | undefined {
  const tool = tools.find(({ definition }) => `${schemasBase}${definition.name}` === uri);
  return tool && JSON.stringify(tool.definition);
}

function pageAt(uri: string): DocumentationPage | undefined {
  if (!uri.startsWith(base)) return undefined;
  const path = uri.slice(base.length);
  const code = path.startsWith('errors/') ? path.slice('errors/'.length) : '';
  return isErrorCode(code) ? errorPage(code) : documentationPages().find((page) => page.path === path);
}

const templates = [
  {
    uriTemplate: `${base}errors/{code}`,
    name: 'errors/code',
    title: 'One error code',
    description: 'What happened and what to do about it.',
    mimeType,
  },
  {
    uriTemplate: `${schemasBase}{name}`,
    name: 'schemas/name',
    title: 'The full definition of one tool',
    description: 'What you get, its parameters with every limit, and the schema of its answer.',
    mimeType: schemasType,
  },
];

/**
 * Registers the documentation as resources: `extract://docs/endpoints`, `…/objects/NAME`, `…/errors/CODE`; and
 * `extract://schemas/TOOL`.
 */
export function addResources(protocol: Server): void {
  protocol.setRequestHandler('resources/list', ({ params }) => {
    refuseCursor(params);
    const resources = documentationPages().map(({ path, title, summary }) => ({
      uri: `${base}${path}`,
      name: path,
      title,
      description: summary,
      mimeType,
    }));
    return { resources };
  });
  protocol.setRequestHandler('resources/templates/list', ({ params }) => {
    refuseCursor(params);
    return { resourceTemplates: templates };
  });
  protocol.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const schemas = schemasAt(uri);
    if (schemas !== undefined) return { contents: [{ uri, mimeType: schemasType, text: schemas }] };
    const page = pageAt(uri);
    if (page === undefined) {
      throw new ResourceNotFoundError(uri, `There is no page ${uri.slice(0, 200)}.`);
    }
    return { contents: [{ uri, mimeType, text: page.text() }] };
  });
}
