import type { Endpoint } from '../../lib/endpoint.js';
import { identifyingParams } from '../output/plain-argument.js';
import { kebabCase, shellQuoted } from '../output/shell-words.js';

/** A call, ready to be copied. */
export interface CallSample {
  readonly label: string;
  readonly text: string;
}

type Params = Readonly<Record<string, string | number | boolean>>;

/** What stands for the secret of a key. */
const secret = '<API_KEY>';

/** What stands for a value that is to be put in. */
const placeholder = /^<\w+>$/;

const camel = (operation: string) =>
  operation.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function commandLine({ platform, name }: Endpoint, params: Params, server: string): string {
  const words = Object.entries(params).map(([param, value]) =>
    value === true ? `--${kebabCase(param)}` : `--${kebabCase(param)} ${shellQuoted(String(value))}`,
  );
  const command = ['extract', platform, name, ...words].join(' ');
  if (params.demo === true) return command;
  return `EXTRACT_BASE_URL=${shellQuoted(server)} EXTRACT_API_KEY='${secret}' \\\n  ${command}`;
}

function curl({ path }: Endpoint, params: Params, server: string): string {
  const query = Object.entries(params)
    .map(
      ([param, value]) => `${param}=${placeholder.test(String(value)) ? value : encodeURIComponent(value)}`,
    )
    .join('&');
  const header = params.demo === true ? '' : `-H 'Authorization: Bearer ${secret}' \\\n  `;
  return `curl ${header}'${server}/${path}?${query.replaceAll("'", '%27')}'`;
}

function library({ operation }: Endpoint, params: Params, server: string): string {
  const call = `.${camel(operation)}(${JSON.stringify(params, null, 2)})`;
  if (params.demo === true) {
    const name = camel(operation);
    return `import { ${name} } from 'public-extract';\n\nconst { data, meta } = await ${call.slice(1)};`;
  }
  return [
    `import { createExtractor } from 'public-extract';`,
    '',
    'const extractor = createExtractor({',
    `  baseUrl: ${JSON.stringify(server)},`,
    `  apiKey: '${secret}',`,
    '});',
    `const { data, meta } = await extractor${call};`,
  ].join('\n');
}

/** The same call for a shell, for curl and for a program, with a placeholder in place of a key. */
export function callSamples(endpoint: Endpoint, params: Params, docsBase: string): readonly CallSample[] {
  const server = `${docsBase}/v1`;
  return [
    { label: 'Command line', text: commandLine(endpoint, params, server) },
    { label: 'curl', text: curl(endpoint, params, server) },
    { label: 'TypeScript', text: library(endpoint, params, server) },
  ];
}

/** Parameters of a call that is not known: what must be given, with its own name in place of a value. */
export function blankParams(endpoint: Endpoint): Params {
  const [name] = identifyingParams(endpoint);
  return name === undefined ? {} : { [name]: `<${name}>` };
}
