import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { pairSentence } from './endpoint-description.js';
import type { ObjectSchema } from './schemas.js';
import type { Tool } from './tool.js';

type Property = Readonly<Record<string, unknown>>;

/** Parameters that mean the same everywhere; the instructions explain them once. */
export const sharedParams = ['limit', 'cursor', 'fresh', 'demo', 'sources', 'fields', 'text_limit'] as const;

/** Short explanations of those without which calls fail or grow long, because some clients drop the instructions. */
const shared: Readonly<Record<(typeof sharedParams)[number], string | undefined>> = {
  limit: 'Items per page.',
  cursor: 'meta.next_cursor of the previous page.',
  fields: 'Fields to show, such as a.b.',
  fresh: undefined,
  demo: undefined,
  sources: undefined,
  text_limit: undefined,
};

function descriptionOf(name: string, { description }: Property) {
  return Object.hasOwn(shared, name) ? shared[name as keyof typeof shared] : description;
}

/** Keywords that tell an assistant what to send. Lengths and patterns are enforced but not listed. */
const listedKeywords = ['type', 'enum', 'minimum', 'maximum', 'default'] as const;

function briefProperty(name: string, property: Property): object {
  const keywords = listedKeywords.filter((keyword) => property[keyword] !== undefined);
  return {
    ...Object.fromEntries(keywords.map((keyword) => [keyword, property[keyword]])),
    ...(property.items === undefined ? {} : { items: { type: (property.items as Property).type } }),
    description: descriptionOf(name, property),
  };
}

function briefInput({ properties, required }: ObjectSchema, endpoint: Endpoint | null): ObjectSchema {
  const full = { ...properties };
  for (const name of endpoint?.exactlyOne ?? []) {
    // Without the sentence about the alternative, which the tool's description has.
    const { description = '' } = full[name] as { description?: string };
    full[name] = { ...full[name], description: description.replace(/ Give this or .*/, '') };
  }
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(full).map(([name, property]) => [name, briefProperty(name, property as Property)]),
    ),
    ...(required === undefined ? {} : { required }),
  };
}

/** Keys of the endpoint's object, from which `fields` selects. */
const fieldNames = (returns: z.ZodType) => (returns instanceof z.ZodObject ? Object.keys(returns.shape) : []);

function briefDescription(endpoint: Endpoint): string {
  const { summary, credits, page } = endpoint;
  const price = `${credits} credits${page === null ? '' : ` a page of up to ${page.max}`}.`;
  const fields = `Fields: ${fieldNames(endpoint.returns).join(', ')}.`;
  return [`${summary}.`, pairSentence(endpoint), price, fields].filter((part) => part !== '').join(' ');
}

/**
 * Returns a tool's entry in the list that assistants read first: just enough to call it. The complete definition, with
 * the schema of the answer, is a resource.
 */
export function listedTool({ definition, endpoint }: Tool): ListedTool {
  const { name, title, description, inputSchema, annotations } = definition;
  // The SDK requires a narrower type of JSON values than our schemas have.
  return {
    name,
    title,
    description: endpoint === null ? description : briefDescription(endpoint),
    inputSchema: briefInput(inputSchema, endpoint),
    annotations: {
      readOnlyHint: annotations?.readOnlyHint,
      // By default, a tool that changes something counts as destructive.
      ...(annotations?.readOnlyHint === false ? { destructiveHint: annotations.destructiveHint } : {}),
      openWorldHint: annotations?.openWorldHint,
    },
  } as ListedTool;
}
