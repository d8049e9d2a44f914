import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { docstring, literal, moduleText, objectOf } from './source.js';

const about = [
  'Asks one endpoint about many inputs, some at once, and gives a line for each in their order. An input that fails is a line with its `error`, and free. A refusal that says when to come back is waited for, up to the `max_wait` of the client. Leaving the loop ends the calls under way. A key or a balance that does not suffice raises its error and ends the batch.',
  [
    'endpoint: The endpoint to ask, such as `maps/place`.',
    'inputs: The parameters of each call. Inputs are taken as they are needed.',
    'fresh, demo, sources: Parameters of every call whose input does not name them.',
    'concurrency: Calls at once.',
  ].join('\n'),
];

function classText(isAsync: boolean): string {
  const [inputs, lines] = isAsync ? ['AsyncInputs', 'AsyncIterator'] : ['Inputs', 'Iterator'];
  const define = (endpoint: string, gives: string) =>
    `    def batch(self, endpoint: ${endpoint}, inputs: ${inputs}, **options: Unpack[BatchOptions]) -> ${lines}[Line[${gives}]]:`;
  const givesOf = (endpoint: Endpoint) =>
    endpoint.many ? `list[${objectOf(endpoint)}]` : objectOf(endpoint);
  const overloads = [...Map.groupBy(endpoints, givesOf)].map(
    ([gives, same]) => `    @overload\n${define(literal(same.map(({ path }) => path)), gives)} ...`,
  );
  return `class ${isAsync ? 'AsyncBatch' : 'Batch'}(Spelled):
${docstring(['Many inputs of one endpoint.'], 1)}

    def _lines(self, endpoint: Endpoint, inputs: ${inputs}, options: BatchOptions) -> ${lines}[Line[Any]]:
        raise NotImplementedError

${overloads.join('\n')}
${define('Endpoint', 'Any')}
${docstring(isAsync ? ['Many inputs of one endpoint. As in `Client`.'] : about, 2)}
        return self._lines(endpoint, inputs, options)`;
}

/** Returns `batch`, whose lines have the endpoint's own object. */
export function batchModule(): string {
  const objects = [...new Set(endpoints.map(objectOf))].sort();
  const imports = [
    'from collections.abc import AsyncIterator, Iterator',
    'from typing import Any, Literal, Unpack, overload',
    '',
    'from .._params import Spelled',
    'from ..batches import AsyncInputs, BatchOptions, Inputs',
    'from ..endpoints import Endpoint',
    'from ..lines import Line',
    `from ..objects import ${objects.join(', ')}`,
  ];
  return moduleText('Many inputs of one endpoint.', imports, [classText(false), classText(true)]);
}
