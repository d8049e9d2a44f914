import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Backend } from './backend.js';
import type { ServerApi } from './jobs/server-api.js';
import type { RecentAnswers } from './recent-answers.js';
import type { ObjectSchema } from './schemas.js';
import type { ToolAccess } from './tool-access.js';

export interface ToolCall {
  readonly requestId: string;
  readonly access: ToolAccess;
  readonly backend: Backend;
  readonly recentAnswers: RecentAnswers;
  /** The API of the server with the caller's jobs; undefined without a server, or without a key for it. */
  readonly server: ServerApi | undefined;
  readonly signal: AbortSignal;
  onProgress(message: string): void;
  /** Called with each answer of an endpoint, for metrics. */
  onAnswered(endpoint: Endpoint, answer: Answer): void;
}

export type ToolResult = Readonly<Record<string, unknown>>;

/** How a tool is listed: the SDK's type, with schemas of our kind. */
interface ToolDefinition extends Pick<ListedTool, 'name' | 'title' | 'description' | 'annotations'> {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
}

export interface Tool {
  readonly definition: ToolDefinition;
  /** Its row in the endpoint table; null for other tools. */
  readonly endpoint: Endpoint | null;
  /** Listed only with a server, whose own routes count its errors. */
  readonly needsServer?: true;
  /** Throws ExtractError for any failure, and the signal's reason for an aborted call. */
  run(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolResult>;
}
