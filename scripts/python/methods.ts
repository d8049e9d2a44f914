import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { describe, kindOf } from '../../lib/params/describe.js';
import { platforms } from '../../lib/platforms.js';
import { batchModule } from './batch.js';
import { operationsModule } from './operations.js';
import { className, docstring, literal, moduleText, objectOf } from './source.js';

/** The type of one parameter's value. */
function valueType(endpoint: Endpoint, name: string): string {
  const schema = endpoint.params[name];
  if (schema === undefined) throw new Error(`${endpoint.path} has no parameter ${name}.`);
  const kind = kindOf(schema);
  if (kind.enum !== undefined) return literal(kind.enum);
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[kind.type];
}

const isRequired = (endpoint: Endpoint, name: string) =>
  endpoint.exactlyOne?.includes(name) !== true &&
  endpoint.params[name]?.safeParse(undefined).success === false;

/** One parameter of a signature. */
function parameter(endpoint: Endpoint, name: string, required: boolean): string {
  const type = valueType(endpoint, name);
  if (required) return `${name}: ${type}`;
  return type === 'bool' ? `${name}: bool = False` : `${name}: ${type} | None = None`;
}

/** The parameters of a call that gives `given` of the pair, and its sources if it asks for them. */
function signature(endpoint: Endpoint, given: string | null, asksSources: boolean): string[] {
  const other = endpoint.exactlyOne?.find((name) => name !== given && given !== null);
  return Object.keys(endpoint.params)
    .filter((name) => name !== other)
    .map((name) =>
      name === 'sources' && asksSources
        ? 'sources: Literal[True]'
        : parameter(endpoint, name, name === given || isRequired(endpoint, name)),
    );
}

const definition = (name: string, params: readonly string[], gives: string, isAsync: boolean) =>
  `    ${isAsync ? 'async ' : ''}def ${name}(\n${['self', '*', ...params, 'timeout: float | None = None']
    .map((one) => `        ${one},\n`)
    .join('')}    ) -> ${gives}:`;

function paragraphs(endpoint: Endpoint): string[] {
  const pair = endpoint.exactlyOne;
  const params = Object.entries(endpoint.params).map(([name, schema]) => {
    const { text, expects, default: fallback } = describe(schema);
    const without = fallback === undefined ? '' : `; ${fallback} when left out`;
    return `${name}: ${text}; ${expects}${without}.`;
  });
  return [
    `${endpoint.summary}.`,
    ...endpoint.description.split('\n\n'),
    ...(pair === null ? [] : [`Give exactly one of \`${pair.join('` and `')}\`.`]),
    `Costs ${endpoint.credits} credits. Answers are cached for ${endpoint.cacheSeconds / 3600} h.`,
    ...params,
    'timeout: Seconds that one try may take; those of the client when left out.',
  ];
}

/** The methods of one endpoint: an overload for each parameter of its pair, with and without sources. */
function methodText(endpoint: Endpoint, isAsync: boolean): string {
  const { operation, path, many, exactlyOne, params } = endpoint;
  if ('timeout' in params) throw new Error(`${path} has a parameter that the client has taken: timeout`);
  const [plain, sourced] = many ? ['Page', 'SourcedPage'] : ['Answer', 'SourcedAnswer'];
  const prefix = isAsync && many ? 'Async' : '';
  const object = objectOf(endpoint);
  const overloads = (exactlyOne ?? [null]).flatMap((given) =>
    [true, false].map((asksSources) => {
      const gives = `${prefix}${asksSources ? sourced : plain}[${object}]`;
      return `    @overload\n${definition(operation, signature(endpoint, given, asksSources), gives, isAsync)} ...`;
    }),
  );
  // The server says what is wrong with a call that no overload is for.
  const all = Object.keys(params).map((name) => parameter(endpoint, name, isRequired(endpoint, name)));
  const sent = Object.keys(params).map((name) => `            "${name}": ${name},\n`);
  const call = `${isAsync ? 'await ' : ''}self._${many ? 'page' : 'object'}("${path}", params, timeout)`;
  const body = `${docstring(paragraphs(endpoint), 2)}
        params = {\n${sent.join('')}        }
        return ${call}`;
  return [
    ...overloads,
    `${definition(operation, all, `${prefix}${plain}[${object}]`, isAsync)}\n${body}`,
  ].join('\n\n');
}

function platformModule(platform: string): string {
  const own = endpoints.filter((endpoint) => endpoint.platform === platform);
  const methods = (isAsync: boolean) => own.map((endpoint) => methodText(endpoint, isAsync)).join('\n\n');
  const name = className(platform);
  const classes = [
    `class ${name}Methods(Calls):\n${docstring([`Endpoints of ${platform}.`], 1)}\n\n${methods(false)}`,
    `class Async${name}Methods(AsyncCalls):\n${docstring([`Endpoints of ${platform}.`], 1)}\n\n${methods(true)}`,
  ];
  const answers = ['Answer', 'AsyncPage', 'AsyncSourcedPage', 'Page', 'SourcedAnswer', 'SourcedPage'];
  const used = answers.filter((one) => new RegExp(`\\b${one}\\[`).test(classes.join('\n')));
  const objects = [...new Set(own.map(objectOf))].sort();
  const imports = [
    'from typing import Literal, overload',
    '',
    'from .._calls import AsyncCalls, Calls',
    `from ..answers import ${used.join(', ')}`,
    `from ..objects import ${objects.join(', ')}`,
  ];
  return moduleText(`The endpoints of ${platform}.`, imports, classes);
}

/** Everything that a client inherits. */
function wholeModule(): string {
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
    return `class ${prefix}Methods(\n${bases(prefix)
      .map((base) => `    ${base},\n`)
      .join('')}):\n${about}`;
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
      [`Endpoint = Literal[\n${endpoints.map(({ path }) => `    "${path}",\n`).join('')}]`],
    ),
    ...Object.fromEntries(modules),
    'methods/service.py': operationsModule(),
    'methods/batch.py': batchModule(),
    'methods/__init__.py': wholeModule(),
  };
}
