import type { Endpoint } from '../../../lib/endpoint.js';
import { identifyingParams } from '../../output/plain-argument.js';
import { requestSamples } from '../../output/request-samples.js';
import { kebabCase, shellQuoted } from '../../output/shell-words.js';

/** A call, ready to copy. */
export interface CallSample {
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

type Params = Readonly<Record<string, string | number | boolean>>;

interface SampleOptions {
  /** The key itself, on the only page that shows it. */
  readonly secret?: string | undefined;
}

const placeholder = /^<\w+>$/;

function commandLine(
  { platform, name }: Endpoint,
  params: Params,
  server: string,
  secret: string | undefined,
): string {
  const words = Object.entries(params).map(([param, value]) =>
    value === true ? `--${kebabCase(param)}` : `--${kebabCase(param)} ${shellQuoted(String(value))}`,
  );
  const command = ['extract', platform, name, ...words].join(' ');
  if (params.demo === true) return command;
  const key = secret === undefined ? '' : ` EXTRACT_API_KEY=${shellQuoted(secret)}`;
  return `EXTRACT_BASE_URL=${shellQuoted(server)}${key} \\\n  ${command}`;
}

/** Encodes a value for a URL that is in double quotes in a shell, and in single quotes in a program. */
function encodeValue(value: string | number | boolean): string {
  if (placeholder.test(String(value))) return String(value);
  return encodeURIComponent(value).replaceAll("'", '%27').replaceAll('!', '%21');
}

/**
 * Returns a call for the command line, for curl and for two programs. Without a secret they read the key from
 * `EXTRACT_API_KEY`; a call for sample data needs none.
 */
export function callSamples(
  endpoint: Endpoint,
  params: Params,
  docsBase: string,
  { secret }: SampleOptions = {},
): readonly CallSample[] {
  const query = Object.entries(params).map(([param, value]) => `${param}=${encodeValue(value)}`);
  const request = {
    address: `/v1/${endpoint.path}?${query.join('&')}`,
    ...{ keyed: params.demo !== true, secret, reads: true },
  };
  return [
    { label: 'Command line', language: 'sh', text: commandLine(endpoint, params, `${docsBase}/v1`, secret) },
    ...requestSamples(request, docsBase),
  ];
}

/** Placeholders for the required parameters, each showing its own name. */
export function blankParams(endpoint: Endpoint): Params {
  const [name] = identifyingParams(endpoint);
  return name === undefined ? {} : { [name]: `<${name}>` };
}
