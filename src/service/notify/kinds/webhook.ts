import type { Notice } from '../notice.js';
import type { Message } from './message.js';

/** Formats a notice for a program, with everything known about its items. */
export function webhookMessage({ id, ...notice }: Notice): Message {
  return { body: JSON.stringify({ type: 'alert', id, ...notice }) };
}
