/** `public-extract/client`: the functions of the library against a server, in any runtime with `fetch`. */

export type { Coverage } from '../call/coverage.js';
export type { Envelope, EnvelopeOf, Meta, SourcedEnvelope } from '../call/envelope.js';
export type { FunctionOptions } from '../endpoint.js';
export type { EndpointCall } from '../endpoint-function.js';
export * from '../errors/error-types.js';
export {
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  type ErrorObject,
  type ErrorType,
  ExtractError,
} from '../errors/extract-error.js';
export type * from '../functions.js';
export { type Pages, paginate } from '../paginate.js';
export type { MapsPhoto, MapsPlace, MapsPlaceDetail, MapsReview } from '../platforms/maps/objects.js';
export type {
  PhotosocialComment,
  PhotosocialPost,
  PhotosocialProfile,
} from '../platforms/photosocial/objects.js';
export type {
  PronetworkCompany,
  PronetworkEducation,
  PronetworkExperience,
  PronetworkJob,
  PronetworkPost,
  PronetworkProfile,
} from '../platforms/pronetwork/objects.js';
export type {
  ShortvideoComment,
  ShortvideoProfile,
  ShortvideoVideo,
} from '../platforms/shortvideo/objects.js';
export type { CallSignal } from '../runtime/abort.js';
export type { Clock } from '../runtime/clock.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export type { Fetch, FetchAnswer, FetchRequest } from './fetch.js';
