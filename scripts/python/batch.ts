import { endpoints } from '../../lib/endpoints.js';
import { docstring, literal, moduleText, objectOf } from './source.js';

const about = [
  'Asks one endpoint about many inputs, some at once, and gives a line for each in their order. An input that fails is a line with its `error`, and free. A refusal that says when to come back is waited for, up to the `max_wait` of the client. Leaving the loop ends the calls under way. A key or a balance that does not suffice raises its error and ends the batch.',
  'endpoint: The endpoint to ask, such as `maps/place`.',
  'inputs: The parameters of each call. Inputs are taken as they are needed.',
  'fresh, demo, sources: Parameters of every call whose input does not name them.',
  'concurrency: Calls at once.',
];

function classText(isAsync: boolean): string {
  const one = 'Iterable[Mapping[str, Any]]';
  const inputs = `inputs: ${isAsync ? `AsyncIterable[Mapping[str, Any]] | ${one}` : one}`;
  const define = (name: string, params: readonly string[], gives: string) =>
    `    def ${name}(\n${['self', ...params]
      .map((param) => `        ${param},\n`)
      .join('')}    ) -> ${isAsync ? 'AsyncIterator' : 'Iterator'}[Line[${gives}]]:`;
  const batch = (endpoint: string, gives: string) => {
    const flags = ['fresh', 'demo', 'sources'].map((flag) => `${flag}: bool = False`);
    const more = ['*', ...flags, 'concurrency: int = DEFAULT_CONCURRENCY'];
    return define('batch', [`endpoint: ${endpoint}`, inputs, ...more], gives);
  };
  const overloads = endpoints.map((endpoint) => {
    const gives = endpoint.many ? `list[${objectOf(endpoint)}]` : objectOf(endpoint);
    return `    @overload\n${batch(literal([endpoint.path]), gives)} ...`;
  });
  const lines = ['endpoint: Endpoint', inputs, 'common: Mapping[str, object]', 'concurrency: int'];
  return [
    `class ${isAsync ? 'AsyncBatch' : 'Batch'}:\n${docstring(['Many inputs of one endpoint.'], 1)}`,
    `${define('_lines', lines, 'Any')}\n        raise NotImplementedError`,
    ...overloads,
    `${batch('Endpoint', 'Any')}\n${docstring(about, 2)}
        common = {"fresh": fresh, "demo": demo, "sources": sources}
        return self._lines(endpoint, inputs, common, concurrency)`,
  ].join('\n\n');
}

/** `batch`, which gives lines of the endpoint's own object. */
export function batchModule(): string {
  const objects = [...new Set(endpoints.map(objectOf))].sort();
  const imports = [
    'from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping',
    'from typing import Any, Literal, overload',
    '',
    'from ..batches import DEFAULT_CONCURRENCY',
    'from ..endpoints import Endpoint',
    'from ..lines import Line',
    `from ..objects import (\n${objects.map((name) => `    ${name},\n`).join('')})`,
  ];
  return moduleText('Many inputs of one endpoint.', imports, [classText(false), classText(true)]);
}
