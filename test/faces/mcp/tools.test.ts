import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { countTokens } from 'gpt-tokenizer';
import type * as z from 'zod';
import { endpoints } from '../../../lib/endpoints.js';
import { catalogue } from '../../../lib/errors/extract-error.js';
import { casesOf } from '../../../lib/samples.js';
import { listedTool, sharedParams } from '../../../src/faces/mcp/listing.js';
import { demoAccess, localAccess, remoteAccess } from '../../../src/faces/mcp/tool-access.js';
import { instructions, tools } from '../../../src/faces/mcp/tools.js';
import { fixturesOf } from '../../support/fixtures.js';

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly maximum?: number;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
formats.default(ajv);

const definitionOf = (name: string) =>
  tools.find(({ definition }) => definition.name === name)?.definition ?? assert.fail(name);
const propertiesOf = (name: string) => definitionOf(name).inputSchema.properties as Record<string, Property>;

describe('the list of tools', () => {
  test('is the table’s operations in its order, then the tools around them', () => {
    assert.deepEqual(
      tools.map(({ definition }) => definition.name),
      [
        ...endpoints.map(({ operation }) => operation),
        ...['get_answer', 'get_balance', 'list_error_codes'],
        ...['create_job', 'job_status', 'job_results', 'whats_new'],
      ],
    );
  });

  for (const { definition } of tools) {
    test(`${definition.name}: its schemas are such that clients take them`, () => {
      const { inputSchema, outputSchema, annotations, description } = definition;
      assert.ok(outputSchema);
      for (const schema of [inputSchema, outputSchema]) {
        assert.equal(schema.type, 'object');
        assert.equal(schema.additionalProperties, false);
        for (const word of ['oneOf', 'anyOf', 'allOf', 'not', '$ref', '$defs'])
          assert.equal(word in schema, false);
        assert.doesNotMatch(JSON.stringify(schema), /"\$ref"|"\$defs"|9007199254740991/);
        ajv.compile(schema);
      }
      for (const [name, { description: text }] of Object.entries(propertiesOf(definition.name)))
        assert.ok(text, name);
      assert.equal(annotations?.readOnlyHint, definition.name !== 'create_job');
      assert.equal(annotations?.destructiveHint, false);
      assert.ok((description ?? '').length > 60);
    });
  }
});

describe('the list that an assistant reads', () => {
  const listed = tools.map(listedTool);

  test('is at most 6,000 tokens for all platforms', () => {
    const tokens = countTokens(JSON.stringify({ tools: listed }));
    assert.ok(tokens <= 6000, `${tokens}`);
  });

  for (const [at, tool] of tools.entries()) {
    test(`${tool.definition.name}: accepts the parameters of its full definition, and describes its own`, () => {
      const { inputSchema: brief, description } = listed[at] as (typeof listed)[number];
      const { inputSchema: fullSchema } = tool.definition;
      assert.deepEqual(Object.keys(brief.properties ?? {}), Object.keys(fullSchema.properties));
      assert.deepEqual(brief.required, fullSchema.required);
      for (const [name, property] of Object.entries(brief.properties ?? {}) as [string, Property][]) {
        const isKnown = ['fresh', 'demo', 'sources', 'text_limit'].includes(name);
        assert.equal(property.description === undefined, isKnown, name);
        for (const [keyword, value] of Object.entries(property)) {
          if (keyword === 'description' || keyword === 'items') continue;
          assert.deepEqual(
            value,
            (fullSchema.properties[name] as Property)[keyword as keyof Property],
            keyword,
          );
        }
      }
      const fields = tool.endpoint === null ? [] : Object.keys((tool.endpoint.returns as z.ZodObject).shape);
      for (const field of fields) assert.ok(description?.includes(field), field);
      for (const name of tool.endpoint?.exactlyOne ?? []) assert.ok(description?.includes(name), name);
    });
  }

  test('leaves to the instructions what means the same everywhere', () => {
    for (const name of sharedParams) assert.ok(instructions(demoAccess).includes(`${name} (`), name);
  });

  test('says in the instructions who pays', () => {
    for (const [access, words] of [
      [demoAccess, /every call is a demo, which is free/],
      [remoteAccess, /account of the API key pays; get_balance/],
      [localAccess(false), /belong to this machine: .*never run out/],
      [localAccess(true), /belong to this machine: .*`extract usage credits add 50000`/],
    ] as const)
      assert.match(/failed calls are free\. (.*?) Request what/.exec(instructions(access))?.[1] ?? '', words);
  });
});

describe('the tool of an endpoint', () => {
  for (const endpoint of endpoints) {
    const { operation, params, exactlyOne } = endpoint;

    test(`${operation} takes the endpoint’s parameters, and how much to show`, () => {
      const properties = propertiesOf(operation);
      assert.deepEqual(Object.keys(properties), [...Object.keys(params), 'fields', 'text_limit']);
      const required = (definitionOf(operation).inputSchema.required ?? []) as string[];
      const mandatory = Object.keys(params).filter(
        (name) => params[name]?.safeParse(undefined).success === false,
      );
      assert.deepEqual(required, mandatory);
      for (const name of exactlyOne ?? []) {
        const other = exactlyOne?.find((one) => one !== name) ?? '';
        assert.match(properties[name]?.description ?? '', new RegExp(`${other}: exactly one`));
      }
    });

    test(`${operation} describes what its samples become, whole and in part`, async () => {
      const { outputSchema } = definitionOf(operation);
      assert.ok(outputSchema);
      const valid = ajv.compile(outputSchema);
      const meta = {
        ...{ request_id: 'req_1', credits_charged: 0, credits_remaining: 0, cached: false },
        ...{ fetched_at: '2026-11-05T12:00:00.000Z', next_cursor: null },
      };
      const files = (await casesOf(endpoint)).flatMap(({ expect = [] }) => expect);
      assert.ok(files.length > 0);
      for (const file of files) {
        const data: unknown = JSON.parse(readFileSync(path.join(fixturesOf(endpoint), file), 'utf8'));
        const content = { demo: true, notes: [], data, meta };
        assert.ok(valid(content), `${file}: ${ajv.errorsText(valid.errors)}`);
        const [part, wrong] = [{}, { made_up: 1 }].map((one) => (Array.isArray(data) ? [one] : one));
        assert.ok(valid({ ...content, data: part }));
        assert.equal(valid({ ...content, data: wrong }), false);
      }
    });
  }
});

describe('the tools around the endpoints', () => {
  test('the error codes match the catalogue', () => {
    const { code } = propertiesOf('list_error_codes') as Record<string, Property & { enum?: string[] }>;
    assert.deepEqual(code?.enum, Object.keys(catalogue));
  });
});
