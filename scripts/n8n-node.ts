import type { Endpoint } from '../lib/endpoint.js';
import { endpoints } from '../lib/endpoints.js';
import { brandOf, type Platform, platforms } from '../lib/platforms.js';
import { version } from '../lib/runtime/version.js';
import { jobModule } from './n8n/job.js';
import {
  fieldName,
  fieldOf,
  type Literal,
  labelOf,
  optionalParams,
  requiredParams,
} from './n8n/properties.js';
import { header, placeholder, source } from './n8n/source.js';

const [itemsFunction, paging] = [`${placeholder}items`, `${placeholder}paging`];

/** The fields that several endpoints have, by their source, with their names in their module. */
const sharedFields = new Map<string, string>();
const counts = new Map<string, number>();
for (const endpoint of endpoints) {
  for (const param of optionalParams(endpoint)) {
    const text = source(fieldOf(endpoint, param));
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count !== 2) continue;
    const name = fieldName(param);
    const others = [...sharedFields.values()].filter((other) => other.replace(/\d+$/, '') === name).length;
    sharedFields.set(text, others === 0 ? name : `${name}${others + 1}`);
  }
}

function optionalField(endpoint: Endpoint, param: string) {
  const field = fieldOf(endpoint, param);
  const shared = sharedFields.get(source(field));
  return { label: String(field.displayName), source: shared === undefined ? field : placeholder + shared };
}

function sharedModule(): string {
  const fields = [...sharedFields].map(
    ([text, name]) => `\nexport const ${name}: INodeProperties = ${text};\n`,
  );
  return `${header}import type { INodeProperties } from 'n8n-workflow';\n${fields.join('')}`;
}

/** Shows a field for one endpoint only. */
const shownFor = ({ platform, name }: Endpoint, more: Readonly<Record<string, Literal>> = {}) => ({
  displayOptions: { show: { resource: [platform], operation: [name], ...more } },
});

/** The option for an endpoint, with its request. */
const operationOf = ({ name, path, platform, summary, credits }: Endpoint) => ({
  name: labelOf(name),
  value: name,
  description: `${summary} (${credits} credits)`,
  action: `Get ${brandOf(platform)} ${labelOf(name)}`.toLowerCase().replace('get', 'Get'),
  routing: {
    request: { method: 'GET', url: `/${path}` },
    output: { postReceive: [itemsFunction] },
  },
});

/** The fields of one endpoint: required ones, the pages of a list, and the rest. */
function fieldsOf(endpoint: Endpoint) {
  const pair = endpoint.exactlyOne ?? [];
  const choice =
    pair.length === 0
      ? []
      : [
          {
            displayName: 'Find By',
            name: 'findBy',
            type: 'options',
            options: pair
              .map((name) => ({ name: labelOf(name), value: fieldName(name) }))
              .sort((one, other) => one.name.localeCompare(other.name, 'en')),
            default: fieldName(pair[0] ?? ''),
            ...shownFor(endpoint),
          },
        ];
  const required = [
    ...pair.map((name) => ({ name, more: { findBy: [fieldName(name)] } })),
    ...requiredParams(endpoint).map((name) => ({ name, more: {} })),
  ].map(({ name, more }) => ({ ...fieldOf(endpoint, name), required: true, ...shownFor(endpoint, more) }));
  const all =
    endpoint.page === null
      ? []
      : [
          {
            displayName: 'Return All',
            name: 'returnAll',
            type: 'boolean',
            default: false,
            description: 'Whether to return all results or only up to a given limit',
            routing: paging,
            ...shownFor(endpoint),
          },
        ];
  const options = optionalParams(endpoint)
    .map((name) => optionalField(endpoint, name))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
    .map((field) => field.source);
  const more = {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    options,
    ...shownFor(endpoint),
  };
  return [...choice, ...required, ...all, ...(options.length === 0 ? [] : [more])];
}

type Field = ReturnType<typeof fieldsOf>[number];

/** Merges fields that differ only in their endpoint, so that values survive selecting another endpoint. */
function merged(fields: readonly Field[]): readonly Field[] {
  const byContent = new Map<string, Field>();
  for (const field of fields) {
    const { operation, ...others } = field.displayOptions.show;
    const content = JSON.stringify({ ...field, displayOptions: others });
    const same = byContent.get(content)?.displayOptions.show.operation ?? [];
    const show = { ...field.displayOptions.show, operation: [...same, ...operation] };
    byContent.set(content, { ...field, displayOptions: { show } });
  }
  return [...byContent.values()];
}

/** Returns the operations and fields of a platform. */
function platformModule(platform: Platform): string {
  const platformEndpoints = endpoints.filter((endpoint) => endpoint.platform === platform);
  const operations = platformEndpoints
    .map(operationOf)
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const properties = [
    {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [platform] } },
      options: operations,
      default: operations[0]?.value ?? '',
    },
    ...merged(platformEndpoints.flatMap(fieldsOf)),
  ];
  const text = source(properties as Literal);
  const code = text.replace(/'(?:[^'\\]|\\.)*'/g, '');
  const names = [...sharedFields.values()].filter((name) => new RegExp(`\\b${name}\\b(?!:)`).test(code));
  const imports = [`import { items } from '../items';`, `import { paging } from '../paging';`];
  if (names.length > 0) imports.push(`import { ${names.join(', ')} } from './shared';`);
  return `${header}import type { INodeProperties } from 'n8n-workflow';\n\n${imports.join('\n')}\n\n/** ${brandOf(platform)}. */\nexport const ${platform}Properties: INodeProperties[] = ${text};\n`;
}

/** Returns the choice of platforms, by brand, and of jobs. */
function resourceModule(): string {
  const options = [
    ...platforms.map((platform) => ({ name: brandOf(platform), value: platform as string })),
    { name: 'Job', value: 'job' },
  ].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const resource = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options,
    default: options[0]?.value ?? '',
  };
  const modules = [...platforms, 'job'];
  const imports = modules.map((name) => `import { ${name}Properties } from './${name}';\n`);
  const all = modules.map((name) => `\t...${name}Properties,\n`);
  return `${header}import type { INodeProperties } from 'n8n-workflow';\n\n${imports.join('')}\n/** Every field of the node. */\nexport const properties: INodeProperties[] = [\n\t${source(resource, 1)},\n${all.join('')}];\n`;
}

/** Returns the package manifest for n8n. */
function packageText(): string {
  const about = {
    name: 'n8n-nodes-public-extract',
    version,
    description:
      'Public TikTok, Instagram, LinkedIn and Google Maps pages as data, from a server of extract.',
    keywords: ['n8n-community-node-package', 'tiktok', 'instagram', 'linkedin', 'google-maps'],
    homepage: 'https://extract.example.com',
    license: 'MIT',
    author: { name: 'extract', email: 'extract@example.com' },
    repository: { type: 'git', url: 'git+https://extract.example.com/public-extract.git' },
    files: ['dist'],
    scripts: {
      build: "tsc && node -e \"fs.cpSync('nodes/Extract/extract.svg', 'dist/nodes/Extract/extract.svg')\"",
      lint: 'eslint .',
    },
    n8n: {
      n8nNodesApiVersion: 1,
      credentials: ['dist/credentials/ExtractApi.credentials.js'],
      nodes: ['dist/nodes/Extract/Extract.node.js'],
    },
    devDependencies: {
      '@typescript-eslint/parser': '^8.35.0',
      eslint: '^9.29.0',
      'eslint-plugin-n8n-nodes-base': '^2.0.0',
      'jsonc-eslint-parser': '^3.3.0',
      'n8n-core': '^2.41.0',
      'n8n-workflow': '^2.41.0',
      typescript: '~5.9.3',
    },
    peerDependencies: { 'n8n-workflow': '*' },
  };
  return `${JSON.stringify(about, null, 2)}\n`;
}

/** Returns the generated files of the n8n node, by path from the root. */
export function n8nNode(): Record<string, string> {
  const folder = 'clients/n8n/nodes/Extract/properties';
  return {
    'clients/n8n/package.json': packageText(),
    [`${folder}/index.ts`]: resourceModule(),
    [`${folder}/job.ts`]: jobModule(),
    [`${folder}/shared.ts`]: sharedModule(),
    ...Object.fromEntries(
      platforms.map((platform) => [`${folder}/${platform}.ts`, platformModule(platform)]),
    ),
  };
}
