/** The library: eighteen functions, one contract. */
export { type BatchLine, batch } from './batch/batch.js';
export type { OnRefusal } from './batch/rests.js';
export type { BatchOptions } from './batch/run-batch.js';
export type { Clock } from './clock.js';
export type { Config } from './config.js';
export type { Endpoint } from './endpoint.js';
export * from './endpoints.js';
export type { Envelope, Meta } from './envelope.js';
export { catalogue, type ErrorCode, type ErrorObject, type ErrorType, ExtractError } from './errors.js';
export { createExtractor, type Extractor } from './extractor.js';
export type { EndpointFunction, FunctionOptions } from './offer.js';
export { paginate } from './paginate.js';
export * from './platforms/maps/objects.js';
export * from './platforms/photosocial/objects.js';
export * from './platforms/pronetwork/objects.js';
export * from './platforms/shortvideo/objects.js';
export { verifyWebhook, type WebhookDelivery, webhookTolerance } from './webhook.js';
