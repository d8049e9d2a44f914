/** `public-extract/webhook`: what a receiver of webhooks needs, and nothing else. */
export { verifyWebhook, type WebhookDelivery, webhookTolerance } from './webhook.js';
