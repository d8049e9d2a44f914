import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { InitializeMessage } from './shared-sessions.js';

function messageOf(body: object): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
}

/**
 * Brings a new transport to where a session stood when its client had opened it on another server. The transport is
 * told the client’s first two messages, whose answers the client has had.
 */
export async function replayHandshake(
  transport: WebStandardStreamableHTTPServerTransport,
  initialize: InitializeMessage,
): Promise<void> {
  const answered = await transport.handleRequest(messageOf(initialize), { parsedBody: initialize });
  await answered.text();
  await notify(transport, { jsonrpc: '2.0', method: 'notifications/initialized' });
}

/** Gives a transport a message of its session that nobody answers. */
export async function notify(
  transport: WebStandardStreamableHTTPServerTransport,
  notification: object,
): Promise<void> {
  const request = messageOf(notification);
  // Messages after the first name their session.
  request.headers.set('Mcp-Session-Id', transport.sessionId ?? '');
  await transport.handleRequest(request, { parsedBody: notification });
}
