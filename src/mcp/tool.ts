import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Answer } from '../../lib/call/envelope.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { ErrorCode } from '../../lib/errors/extract-error.js';
import type { Backend } from './backend.js';
import type { RecentAnswers } from './recent-answers.js';
import type { ObjectSchema } from './schemas.js';
import type { ToolAccess } from './tool-access.js';

/** What a tool call runs on. */
interface ToolCall {
  readonly requestId: string;
  readonly access: ToolAccess;
  readonly backend: Backend;
  readonly kept: RecentAnswers;
  /** Ends the call; what was charged is given back. */
  readonly signal: AbortSignal;
  /** Tells the caller what has just been done. */
  progress(message: string): void;
  /** Told of each answer of an endpoint: for those who count. */
  answered(endpoint: Endpoint, answer: Answer): void;
}

/** The port to those who count calls. */
export interface CallWatch {
  answered(endpoint: Endpoint, answer: Answer): void;
  refused(endpoint: Endpoint | null, code: ErrorCode): void;
}

/** What a tool answers: an object that its output schema describes. */
export type Shown = Readonly<Record<string, unknown>>;

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
  /** Throws ExtractError for everything that can go wrong, and the signal's reason for a call that was given up. */
  run(args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<Shown>;
}
