import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { kindOf } from '../../lib/params/describe.js';
import { className, literal, moduleText } from './source.js';

/** Parameters of every call, documented once, on the clients. */
export const common: readonly string[] = ['fresh', 'demo', 'sources'];
const paged: readonly string[] = ['limit', 'cursor'];

/** Returns the type of a parameter's value. */
function valueType(endpoint: Endpoint, name: string): string {
  const schema = endpoint.params[name];
  if (schema === undefined) throw new Error(`${endpoint.path} has no parameter ${name}.`);
  const kind = kindOf(schema);
  if (kind.enum !== undefined) return literal(kind.enum);
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[kind.type];
}

function field(endpoint: Endpoint, name: string): string {
  const type = valueType(endpoint, name);
  const isRequired = endpoint.params[name]?.safeParse(undefined).success === false;
  if (isRequired) return `    ${name}: Required[${type}]`;
  return `    ${name}: ${type === 'bool' ? type : `${type} | None`}`;
}

const classText = (name: string, base: string, fields: readonly string[]) =>
  `class ${name}(${base}, total=False):\n${fields.join('\n')}`;

/** The parameters of one endpoint: a class, or one for each parameter of a pair. */
interface Params {
  readonly names: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
}

/** Returns the classes of an endpoint's parameters, shared by endpoints that take the same. */
export function paramsOf(endpoint: Endpoint): Params {
  const { path, page, exactlyOne, params } = endpoint;
  if ('timeout' in params) throw new Error(`${path} has a parameter that the client has taken: timeout`);
  const others = new Set([...common, ...paged, ...(exactlyOne ?? [])]);
  const ownKeys = Object.keys(params)
    .filter((param) => !others.has(param))
    .map((param) => field(endpoint, param));
  const base = page === null ? 'Params' : 'PageParams';
  const name = className(path.replace('/', '_'));
  const paramsClass = ownKeys.length === 0 ? base : `${name}Params`;
  const texts = ownKeys.length === 0 ? {} : { [paramsClass]: classText(paramsClass, base, ownKeys) };
  if (exactlyOne === null) return { names: [paramsClass], texts };
  const prefix = ownKeys.length > 0 ? name : page === null ? '' : 'Page';
  const each = exactlyOne.map((one) => {
    const by = `${prefix}By${className(one)}`;
    return [by, classText(by, paramsClass, [`    ${one}: Required[${valueType(endpoint, one)}]`])] as const;
  });
  return { names: each.map(([by]) => by), texts: { ...texts, ...Object.fromEntries(each) } };
}

/** Returns the parameters of all endpoints as `TypedDict`s. */
export function paramsModule(): string {
  const texts: Readonly<Record<string, string>> = Object.assign(
    {},
    ...endpoints.map((one) => paramsOf(one).texts),
  );
  const imports = ['from typing import Literal, Required', '', 'from .._params import PageParams, Params'];
  return moduleText('What the endpoints take.', imports, Object.values(texts));
}
