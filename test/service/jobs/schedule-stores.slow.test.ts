import { describe } from 'node:test';
import { bothStores, withWebhooks } from './both-stores.js';
import { schedulesSuite } from './schedules-port.js';
import { webhooksSuite } from './webhooks/webhooks-port.js';

for (const [where, skip, open] of bothStores) {
  describe(`schedules in ${where}`, { skip }, () => schedulesSuite(open));
  describe(`webhooks in ${where}`, { skip }, () => webhooksSuite(() => withWebhooks(open)));
}
