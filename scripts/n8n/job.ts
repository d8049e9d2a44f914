import { endpoints } from '../../lib/endpoints.js';
import { brandOf } from '../../lib/platforms.js';
import { isRecord } from '../../lib/read/json.js';
import { createJobRoute } from '../../src/faces/server/jobs/create-job-route.js';
import { fieldName, type Literal, labelOf, lowerFirst, sentences } from './properties.js';
import { header, placeholder, source } from './source.js';

type Field = Readonly<Record<string, Literal>>;

const shownFor = (...operation: readonly string[]) => ({
  displayOptions: { show: { resource: ['job'], operation } },
});

/** Returns a property of the request's body as a field. One that is added and left empty is not sent. */
function optionalField(property: string, schema: Readonly<Record<string, unknown>>): Field {
  const description = String(schema.description);
  const send = (value: string) => ({ send: { type: 'body', property, value: `={{ ${value} }}` } });
  const field = { displayName: labelOf(property), name: fieldName(property) };
  if (schema.const === true) {
    const about = sentences(`Whether this is wanted: ${lowerFirst(description)}`);
    return {
      ...field,
      routing: send('$value || undefined'),
      type: 'boolean',
      default: false,
      description: about,
    };
  }
  const isList = schema.type === 'array';
  const list = '$value ? $value.split(",").map((one) => one.trim()) : undefined';
  return {
    ...{ ...field, routing: send(isList ? list : '$value || undefined'), type: 'string', default: '' },
    description: sentences(isList ? `${description} Several are separated by commas.` : description),
  };
}

/** The parts of the body of `POST /jobs`, which has the options from the table of steps. */
const { properties, required } = createJobRoute.body as {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
};

const options = Object.entries(properties)
  .filter(([name]) => !required.includes(name))
  .sort(([one], [other]) => labelOf(one).localeCompare(labelOf(other), 'en'))
  .flatMap(([name, schema]) => (isRecord(schema) ? [optionalField(name, schema)] : []));

const endpointField = {
  ...{ displayName: 'Endpoint', name: 'endpoint', type: 'options' },
  options: endpoints
    .map(({ path, platform, name }) => ({ name: `${brandOf(platform)} ${labelOf(name)}`, value: path }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en')),
  ...{ default: endpoints[0]?.path ?? '', description: 'The endpoint to call', required: true },
  routing: { send: { type: 'body', property: 'endpoint' } },
  ...shownFor('create'),
};

const inputsField = {
  ...{ displayName: 'Inputs', name: 'inputs', type: 'json', default: '[]', required: true },
  description: 'The parameters of each call, as a list of objects',
  routing: {
    send: {
      ...{ type: 'body', property: 'inputs' },
      value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}',
    },
  },
  ...shownFor('create'),
};

const operation = (name: string, action: string, description: string, request: Field, receive: string) => ({
  ...{ name, value: fieldName(name.toLowerCase().replaceAll(' ', '_')), description, action },
  routing: { request, output: { postReceive: [`${placeholder}${receive}`] } },
});

const url = '=/jobs/{{ $parameter["jobId"] }}';

/** Returns the operations on jobs and their fields. */
export function jobModule(): string {
  const all = [
    {
      ...{ displayName: 'Operation', name: 'operation', type: 'options', noDataExpression: true },
      displayOptions: { show: { resource: ['job'] } },
      options: [
        operation(
          'Create',
          'Create a job',
          `${createJobRoute.summary}`,
          { method: 'POST', url: '/jobs' },
          'items',
        ),
        operation('Get', 'Get a job', 'Get the state of a job', { method: 'GET', url }, 'items'),
        operation(
          ...([
            'Get Results',
            'Get the results of a job',
            'Get an item for each input that has ended',
          ] as const),
          { method: 'GET', url: `${url}/results` },
          'lines',
        ),
      ],
      default: 'create',
    },
    endpointField,
    inputsField,
    {
      ...{ displayName: 'Additional Fields', name: 'additionalFields', type: 'collection' },
      ...{ placeholder: 'Add Field', default: {}, options },
      ...shownFor('create'),
    },
    {
      ...{ displayName: 'Job ID', name: 'jobId', type: 'string', default: '', required: true },
      ...{ description: 'The ID that Create answers with', ...shownFor('get', 'getResults') },
    },
  ];
  const imports = `import { items } from '../items';\nimport { lines } from '../lines';\n`;
  return `${header}import type { INodeProperties } from 'n8n-workflow';\n\n${imports}\n/** Jobs of a server. */\nexport const jobProperties: INodeProperties[] = ${source(all as Literal)};\n`;
}
