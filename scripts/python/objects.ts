import { platforms } from '../../lib/platforms.js';
import { componentSchemas } from '../../src/faces/server/openapi/schemas.js';
import { className, docstring, isName, literal, moduleText } from './source.js';

type Type = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: Type | readonly Type[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

const words: Readonly<Record<Exclude<Type, 'array' | 'object'>, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** The Python classes of one object, inner classes first. */
class ObjectClasses {
  readonly texts: string[] = [];
  /** The inner classes of the module by their content, which several objects may have. */
  readonly #inner: Map<string, string>;

  constructor(inner: Map<string, string>) {
    this.#inner = inner;
  }

  add(name: string, { description, properties = {}, required = [] }: JsonSchema, about?: string): string {
    if (Object.keys(properties).some((key) => !isName(key))) return this.#addByKeys(name, properties);
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = this.#type(schema, `${name}${className(key)}`);
      const sentence = descriptionOf(schema);
      const typeText = required.includes(key) ? type : `NotRequired[${type}]`;
      return `    ${key}: ${typeText}${sentence === undefined ? '' : `\n${docstring([sentence], 1)}`}`;
    });
    const docText = about ?? description;
    const body = [...(docText === undefined ? [] : [docstring([docText], 1)]), ...fields];
    this.texts.push(`class ${name}(TypedDict):\n${body.join('\n')}`);
    return name;
  }

  /** An object whose keys are not names in Python, such as the stars `1` to `5`. */
  #addByKeys(name: string, properties: NonNullable<JsonSchema['properties']>): string {
    const fields = Object.entries(properties).map(([key, schema]) => {
      return `        # ${descriptionOf(schema)}\n        "${key}": ${this.#type(schema, name)},\n`;
    });
    this.texts.push(`${name} = TypedDict(\n    "${name}",\n    {\n${fields.join('')}    },\n)`);
    return name;
  }

  #type(schema: JsonSchema, name: string): string {
    if (schema.$ref !== undefined) return className(schema.$ref.replace(/.*\//, ''));
    if (schema.enum !== undefined) return literal(schema.enum);
    if (typeof schema.const === 'string') return literal([schema.const]);
    if (schema.const === true) return 'Literal[True]';
    if (schema.anyOf !== undefined) {
      return [...new Set(schema.anyOf.map((one) => this.#type(one, name)))].join(' | ');
    }
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return 'Any';
    return types.map((type) => this.#typeOf(type, schema, name)).join(' | ');
  }

  #typeOf(type: Type, schema: JsonSchema, name: string): string {
    if (type === 'array') return `list[${this.#type(schema.items ?? {}, name)}]`;
    if (type !== 'object') return words[type];
    if (schema.properties !== undefined) {
      const content = JSON.stringify(schema);
      const className = this.#inner.get(content) ?? this.add(name, schema);
      this.#inner.set(content, className);
      return className;
    }
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return `dict[str, ${this.#type(values, name)}]`;
  }
}

/** Returns a field's description, or else the description of its only non-null type. */
function descriptionOf({ description, anyOf = [] }: JsonSchema): string | undefined {
  return description ?? anyOf.map(descriptionOf).find((text) => text !== undefined);
}

const moduleOf = (name: string) => platforms.find((platform) => name.startsWith(`${platform}_`)) ?? 'service';

/**
 * Returns every object as a `TypedDict` with the descriptions of its schema: a module per platform, and one for the
 * service.
 */
export function objectModules(): Record<string, string> {
  const modules = new Map<string, string[]>();
  const inner = new Map<string, Map<string, string>>();
  for (const [name, schema] of Object.entries(componentSchemas())) {
    // Errors are raised, and have their own classes.
    if (name === 'error') continue;
    const module = moduleOf(name);
    inner.set(module, inner.get(module) ?? new Map());
    const classes = new ObjectClasses(inner.get(module) as Map<string, string>);
    classes.add(className(name), schema as JsonSchema);
    modules.set(module, [...(modules.get(module) ?? []), ...classes.texts]);
  }
  const files = [...modules].map(([module, texts]) => {
    const content = texts.join('\n');
    const typing = ['Any', 'Literal', 'NotRequired', 'TypedDict'].filter((word) =>
      new RegExp(`\\b${word}\\b`).test(content),
    );
    const imports = ['from __future__ import annotations', '', `from typing import ${typing.join(', ')}`];
    const about = module === 'service' ? 'What the service says of itself.' : `Objects of ${module}.`;
    return [`objects/${module}.py`, moduleText(about, imports, texts)] as const;
  });
  const exported = [...modules.keys()].map((module) => `from .${module} import *`);
  return {
    ...Object.fromEntries(files),
    'objects/__init__.py': moduleText('Every object that a call gives.', exported, []),
  };
}
