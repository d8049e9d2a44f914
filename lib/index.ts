/** The library: eighteen functions, one contract. */

export type { AnswerOptions } from './base-extractor.js';
export type { OnRefusal } from './batch/backoff.js';
export { type BatchLine, batch } from './batch/batch.js';
export type { BatchOptions } from './batch/run-batch.js';
export type { CachedAnswer, CacheStore } from './cache/cache.js';
export type { Coverage, PageCoverage } from './call/coverage.js';
export type { Answer, Envelope, EnvelopeOf, Meta, SourcedEnvelope } from './call/envelope.js';
export type { Config } from './config.js';
export type { Endpoint, FunctionOptions } from './endpoint.js';
export type { EndpointCall, EndpointFunction } from './endpoint-function.js';
export * from './endpoints.js';
export * from './errors/error-types.js';
export {
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  type ErrorObject,
  type ErrorType,
  ExtractError,
} from './errors/extract-error.js';
export type { SeenPage } from './errors/seen.js';
export { type AddressedEnvelope, type AddressParams, extract } from './extract.js';
export { createExtractor, type Extractor } from './extractor.js';
export type * from './functions.js';
export type { Balance, Charge, Ending, Grant, KeyName, Ledger, UsageQuery } from './ledger/ledger.js';
export type { UsageRow } from './ledger/usage-row.js';
export { type Pages, paginate } from './paginate.js';
export * from './platforms/maps/objects.js';
export * from './platforms/photosocial/objects.js';
export * from './platforms/pronetwork/objects.js';
export * from './platforms/shortvideo/objects.js';
export type { Platform } from './platforms.js';
export type { CallSignal } from './runtime/abort.js';
export type { Clock } from './runtime/clock.js';
export type { Schema } from './schema.js';
export { verifyWebhook, type WebhookDelivery, webhookTolerance } from './webhook.js';
