import assert from 'node:assert/strict';
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { endpoints } from '../../../lib/endpoints.js';
import type { ErrorObject } from '../../../lib/errors/extract-error.js';
import { type Case, casesOf } from '../../../lib/samples.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { gate } from '../../support/gate.js';

/** What a tool shows. */
export interface ToolAnswer {
  readonly demo: boolean;
  readonly notes: readonly string[];
  readonly data: unknown;
  readonly meta?: {
    readonly request_id: string;
    readonly credits_charged: number;
    readonly credits_remaining: number;
    readonly cached: boolean;
    readonly next_cursor: string | null;
  };
}

/** What a tool call comes to. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** Returns the text that a tool answers, and asserts that it answers nothing else. */
export function textOf({ content }: Pick<ToolResult, 'content'>): string {
  assert.equal(content.length, 1);
  assert.equal(content[0]?.type, 'text');
  return content[0].text ?? '';
}

/** Calls a tool that must succeed. */
export async function answerOf(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options?: RequestOptions,
): Promise<ToolAnswer> {
  const result = (await client.callTool({ name, arguments: args }, options)) as ToolResult;
  assert.notEqual(result.isError, true, textOf(result));
  assert.equal('structuredContent' in result, false);
  return JSON.parse(textOf(result)) as ToolAnswer;
}

/** Calls a tool that must fail: the contract's error object as text, and nothing structured. */
export async function refusalOf(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<ErrorObject> {
  const result = (await client.callTool({ name, arguments: args })) as ToolResult;
  assert.equal(result.isError, true, textOf(result));
  assert.equal('structuredContent' in result, false);
  const { error, ...rest } = JSON.parse(textOf(result)) as { error: ErrorObject };
  assert.deepEqual(rest, {});
  assert.deepEqual(Object.keys(error), ['type', 'code', 'message', 'docs', 'request_id']);
  assert.match(error.request_id, /^req_/);
  return error;
}

/** An endpoint to try things on that are the same for all. */
export const anyEndpoint = endpoints[0] ?? assert.fail();
/** One that answers with a list. */
export const listEndpoint = endpoints.find(({ page }) => page !== null) ?? assert.fail();

/** The case of an endpoint that is its sample. */
export async function sampleCase(endpoint: (typeof endpoints)[number]): Promise<Case> {
  return (await casesOf(endpoint))[0] ?? assert.fail();
}

/** A platform that accepts requests and never answers. */
export function silentPages(): PageSource & {
  readonly onRequest: Promise<void>;
  readonly givenUp: Promise<void>;
} {
  const [asked, givenUp] = [gate(), gate()];
  return {
    onRequest: asked.opened,
    givenUp: givenUp.opened,
    open: (_, signal) => ({
      fetch: () =>
        new Promise((_resolve, reject) => {
          asked.open();
          signal?.addEventListener('abort', () => {
            givenUp.open();
            reject(signal.reason);
          });
        }),
      cookie: () => null,
      end: () => undefined,
    }),
    close: async () => undefined,
  };
}
