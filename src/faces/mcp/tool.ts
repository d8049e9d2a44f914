import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Backend } from './backend.js';
import type { ServerApi } from './jobs/server-api.js';
import type { RecentAnswers } from './recent-answers.js';
import type { ObjectSchema } from './schemas.js';
import type { ToolAccess } from './tool-access.js';

/** The services that a tool call runs on. */
export interface ToolCall {
  readonly requestId: string;
  readonly access: ToolAccess;
  readonly backend: Backend;
  readonly recentAnswers: RecentAnswers;
  /** The API of the server that keeps the caller's jobs; undefined where there is none, or no key for it. */
  readonly server: ServerApi | undefined;
  /** Ends the call; the charge is refunded. */
  readonly signal: AbortSignal;
  /** Reports the last step to the caller. */
  onProgress(message: string): void;
  /** Receives each answer of an endpoint, for metrics. */
  onAnswered(endpoint: Endpoint, answer: Answer): void;
}

/** The answer of a tool: an object that its output schema describes. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** How a tool is listed: the SDK's type, with schemas of the kind that ours are. */
interface ToolDefinition extends Pick<ListedTool, 'name' | 'title' | 'description' | 'annotations'> {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
}

/** A tool: how it is listed, and what it does. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** The row of the table it stands for; null for a tool around them. */
  readonly endpoint: Endpoint | null;
  /** Listed only where there is a server; the server's own routes count its errors. */
  readonly needsServer?: true;
  /** Throws ExtractError for everything that can go wrong, and the signal's reason for a call that was given up. */
  run(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolResult>;
}
