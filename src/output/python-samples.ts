import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { kindOf } from '../../lib/params/describe.js';
import { isOfSchedule, jobsAddress, type RequestSample, type SampleRequest } from './sample-request.js';

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${literal(one)}`);
  return `{${entries.join(',')}}`;
}

const bearer = ({ secret }: SampleRequest) =>
  secret === undefined ? '"Bearer " + os.environ["EXTRACT_API_KEY"]' : `"Bearer ${secret}"`;

/** Formats the address as a Python expression, with the id of the job created before. */
function addressText(request: SampleRequest, base: string): string {
  const key = isOfSchedule(request) ? 'schedule' : 'id';
  return `"${base}${request.address.replace('{id}', `" + job["${key}"] + "`)}"`.replace(/ \+ ""$/, '');
}

const jobUrl = (base: string) => `"${base}${jobsAddress}/" + job["id"]`;

const readsKey = ({ keyed, secret }: SampleRequest) => keyed && secret === undefined;

const headerLines = (request: SampleRequest) =>
  request.keyed ? [`headers = {"Authorization": ${bearer(request)}}`] : [];

function standard(request: SampleRequest, base: string): string {
  const { method = 'GET', body, keyed, ofNewJob, afterJob } = request;
  const requestLines = (body: unknown, verb: string, url: string) => {
    const headers =
      body === undefined ? 'headers=headers' : 'headers={**headers, "Content-Type": "application/json"}';
    const parts = [
      ...(verb === 'GET' ? [] : [`method="${verb}"`]),
      ...(keyed ? [headers] : []),
      ...(body === undefined ? [] : [`data=json.dumps(${literal(body)}).encode()`]),
    ];
    if (parts.length === 0) return url;
    return `urllib.request.Request(\n${[url, ...parts].map((part) => `        ${part},\n`).join('')}    )`;
  };
  const jobLines = [
    `    request = ${requestLines(ofNewJob, 'POST', `"${base}${jobsAddress}"`)}`,
    '    with urllib.request.urlopen(request) as answer:',
    '        job = json.load(answer)["data"]',
  ];
  const waitLines = [
    '    while job["finished_at"] is None:',
    '        time.sleep(1)',
    `        request = ${requestLines(undefined, 'GET', jobUrl(base)).replaceAll('\n', '\n    ')}`,
    '        with urllib.request.urlopen(request) as answer:',
    '            job = json.load(answer)["data"]',
  ];
  const clock = afterJob === true ? 'time, ' : '';
  return [
    `import json, ${readsKey(request) ? 'os, ' : ''}${clock}urllib.error, urllib.request`,
    '',
    ...headerLines(request),
    'try:',
    ...(ofNewJob === undefined ? [] : jobLines),
    ...(afterJob === true ? waitLines : []),
    `    request = ${requestLines(body, method, addressText(request, base))}`,
    '    with urllib.request.urlopen(request) as answer:',
    '        print(answer.read().decode())',
    'except urllib.error.HTTPError as failure:',
    '    error = json.load(failure)["error"]',
    `    raise SystemExit(f'{error["code"]}: {error["message"]}')`,
  ].join('\n');
}

function requests(request: SampleRequest, base: string): string {
  const { method = 'GET', body, keyed, ofNewJob, afterJob } = request;
  const requestCode = (body: unknown, verb: string, url: string) => {
    const options = [
      ...(keyed ? ['headers=headers'] : []),
      ...(body === undefined ? [] : [`json=${literal(body)}`]),
    ];
    return `requests.${verb.toLowerCase()}(${[url, ...options, 'timeout=200'].join(', ')})`;
  };
  const check = [
    'if not answer.ok:',
    '    error = answer.json()["error"]',
    `    raise SystemExit(f'{error["code"]}: {error["message"]}')`,
  ];
  const jobLines = [
    `answer = ${requestCode(ofNewJob, 'POST', `"${base}${jobsAddress}"`)}`,
    ...check,
    'job = answer.json()["data"]',
  ];
  const waitLines = [
    'while job["finished_at"] is None:',
    '    time.sleep(1)',
    `    job = ${requestCode(undefined, 'GET', jobUrl(base))}.json()["data"]`,
  ];
  const modules = [...(readsKey(request) ? ['os'] : []), ...(afterJob === true ? ['time'] : [])];
  return [
    ...(modules.length > 0 ? [`import ${modules.join(', ')}`] : []),
    'import requests',
    '',
    ...headerLines(request),
    ...(ofNewJob === undefined ? [] : jobLines),
    ...(afterJob === true ? waitLines : []),
    `answer = ${requestCode(body, method, addressText(request, base))}`,
    ...check,
    'print(answer.text)',
  ].join('\n');
}

function valueText(endpoint: Endpoint, name: string, value: string): string {
  const schema = endpoint.params[name];
  const type = schema === undefined ? 'string' : kindOf(schema).type;
  if (type === 'boolean') return value === 'true' ? 'True' : 'False';
  return type === 'string' ? JSON.stringify(value) : value;
}

function ofClient(request: SampleRequest, base: string): RequestSample[] {
  const { pathname, searchParams } = new URL(request.address, base);
  const endpoint = endpoints.find(({ path }) => pathname === `/v1/${path}`);
  if (endpoint === undefined) return [];
  const args = [...searchParams].map(([name, value]) => `${name}=${valueText(endpoint, name, value)}`);
  const key = request.secret === undefined ? '' : `, "${request.secret}"`;
  const text = [
    'from public_extract import Client',
    '',
    `client = Client("${base}"${key})`,
    `answer = client.${endpoint.operation}(${args.join(', ')})`,
    'print(answer.data)',
    '# As a table of pandas, polars or pyarrow: answer.to_dataframe()',
  ].join('\n');
  return [{ label: 'public-extract', language: 'python', text }];
}

/** A request in Python: with the standard library, with requests, and with the client if it calls an endpoint. */
export function pythonSamples(request: SampleRequest, base: string): readonly RequestSample[] {
  return [
    { label: 'Python', language: 'python', text: standard(request, base) },
    { label: 'requests', language: 'python', text: requests(request, base) },
    ...(request.reads === true ? ofClient(request, base) : []),
  ];
}
