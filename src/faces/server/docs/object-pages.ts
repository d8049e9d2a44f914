import { endpoints } from '../../../../lib/endpoints.js';
import { fieldTable, type ObjectSchema } from '../../../output/field-table.js';
import { componentSchemas, objectName, objectNames } from '../openapi/schemas.js';

const everyKey = 'Every object has exactly these keys. A value that the platform does not publish is `null`.';

/** The text about an object above its fields. */
export const fieldsMarkdown = (name: string) =>
  `${everyKey}\n\n${fieldTable((componentSchemas() as Readonly<Record<string, ObjectSchema>>)[name] ?? {})}`;

export function objectPage(name: string): string {
  const returning = endpoints
    .filter(({ returns }) => objectName(returns) === name)
    .map(({ path }) => `- [\`${path}\`](/docs/endpoints/${path})`);
  const by = returning.length === 0 ? '' : `\n## Returned by\n\n${returning.join('\n')}\n`;
  return `# ${name}\n\n${fieldsMarkdown(name)}\n${by}`;
}

export function objectsPage(): string {
  const list = objectNames().map((name) => `- [\`${name}\`](/docs/objects/${name})`);
  return `# Objects\n\nEvery object that the API returns, with its fields.\n\n${list.join('\n')}\n`;
}
