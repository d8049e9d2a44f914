import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { describe } from '../../lib/params/describe.js';
import { platforms } from '../../lib/platforms.js';
import { batchModule } from './batch.js';
import { operationsModule } from './operations.js';
import { common, paramsModule, paramsOf } from './params.js';
import { className, docstring, joinLines, longLiteral, moduleText, objectOf } from './source.js';

function paragraphs(endpoint: Endpoint): string[] {
  const params = Object.entries(endpoint.params)
    .filter(([name]) => !common.includes(name))
    .map(([name, schema]) => {
      const { text, expects, default: fallback } = describe(schema);
      return `${name}: ${text}; ${expects}${fallback === undefined ? '' : `; ${fallback} by default`}.`;
    });
  const pair =
    endpoint.exactlyOne === null ? '' : `Give exactly one of \`${endpoint.exactlyOne.join('` and `')}\`. `;
  return [
    `${endpoint.summary}.`,
    ...endpoint.description.split('\n\n'),
    `${pair}Costs ${endpoint.credits} credits. Answers are cached for ${endpoint.cacheSeconds / 3600} h.`,
    params.join('\n'),
  ];
}

/** The method of one endpoint: an overload for each class of its parameters, with and without sources. */
function methodText(endpoint: Endpoint, isAsync: boolean): string {
  const { operation, path, many, summary } = endpoint;
  const [plain, sourced] = (many ? ['Page', 'SourcedPage'] : ['Answer', 'SourcedAnswer']).map(
    (answer) => `${isAsync && many ? 'Async' : ''}${answer}[${objectOf(endpoint)}]`,
  );
  const define = (sources: string, params: string, gives: string | undefined) =>
    `    ${isAsync ? 'async ' : ''}def ${operation}(self, *, sources: ${sources}, **params: ${params}) -> ${gives}:`;
  const overloads = paramsOf(endpoint).names.flatMap((name) => [
    `    @overload\n${define('Literal[True]', `Unpack[${name}]`, sourced)} ...`,
    `    @overload\n${define('bool = False', `Unpack[${name}]`, plain)} ...`,
  ]);
  const about = isAsync ? [`${summary}. As in \`Client\`.`] : paragraphs(endpoint);
  const call = `self._${many ? 'page' : 'object'}("${path}", {**params, "sources": sources})`;
  return [
    ...overloads,
    define('bool = False', 'Any', plain),
    docstring(about, 2),
    `        return ${isAsync ? 'await ' : ''}${call}`,
  ].join('\n');
}

function platformModule(platform: string): string {
  const platformEndpoints = endpoints.filter((endpoint) => endpoint.platform === platform);
  const methods = (isAsync: boolean) =>
    platformEndpoints.map((endpoint) => methodText(endpoint, isAsync)).join('\n\n');
  const name = className(platform);
  const classes = [
    `class ${name}Methods(Calls):\n${docstring([`Endpoints of ${platform}.`], 1)}\n\n${methods(false)}`,
    `class Async${name}Methods(AsyncCalls):\n${docstring([`Endpoints of ${platform}.`], 1)}\n\n${methods(true)}`,
  ];
  const answers = ['Answer', 'AsyncPage', 'AsyncSourcedPage', 'Page', 'SourcedAnswer', 'SourcedPage'];
  const classNames = answers.filter((one) => new RegExp(`\\b${one}\\[`).test(classes.join('\n')));
  const objects = [...new Set(platformEndpoints.map(objectOf))].sort();
  const names = [...new Set(platformEndpoints.flatMap((endpoint) => paramsOf(endpoint).names))].sort();
  const shared = ['PageParams', 'Params'].filter((name) => names.includes(name));
  const params = [
    ...(shared.length === 0 ? [] : [`from .._params import ${shared.join(', ')}`]),
    `from .params import ${names.filter((name) => !shared.includes(name)).join(', ')}`,
  ];
  const imports = [
    'from typing import Any, Literal, Unpack, overload',
    '',
    'from .._calls import AsyncCalls, Calls',
    `from ..answers import ${classNames.join(', ')}`,
    `from ..objects import ${objects.join(', ')}`,
    ...params,
  ];
  return moduleText(`The endpoints of ${platform}.`, imports, classes);
}

/** Returns the module with everything that a client inherits. */
function clientsModule(): string {
  const bases = (prefix: string) => [
    ...platforms.map((platform) => `${prefix}${className(platform)}Methods`),
    `${prefix}ServiceMethods`,
    `${prefix}Batch`,
  ];
  const modules = [...platforms, 'service', 'batch'];
  const imports = modules.map(
    (module, at) => `from .${module} import ${bases('Async')[at]}, ${bases('')[at]}`,
  );
  const classes = ['', 'Async'].map((prefix) => {
    const about = docstring(['Every endpoint and operation as a method.'], 1);
    return `class ${prefix}Methods(\n${joinLines(bases(prefix))}\n):\n${about}`;
  });
  return moduleText('The methods of the clients.', imports, classes);
}

/** A method for each endpoint, a module a platform, and `batch`. */
export function methodModules(): Record<string, string> {
  const modules = platforms.map((platform) => [`methods/${platform}.py`, platformModule(platform)] as const);
  return {
    'endpoints.py': moduleText(
      'The endpoints by their paths.',
      ['from typing import Literal'],
      [`Endpoint = ${longLiteral(endpoints.map(({ path }) => path))}`],
    ),
    ...Object.fromEntries(modules),
    'methods/params.py': paramsModule(),
    'methods/service.py': operationsModule(),
    'methods/batch.py': batchModule(),
    'methods/__init__.py': clientsModule(),
  };
}
