/** `public-extract/client`: the functions of the library against a server, in any runtime that has `fetch`. */
export type { Signal } from '../abort.js';
export type { Clock } from '../clock.js';
export type { Envelope, Meta } from '../envelope.js';
export {
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  type ErrorObject,
  type ErrorType,
  ExtractError,
} from '../errors.js';
export type * from '../functions.js';
export type { FunctionOptions } from '../offer.js';
export { paginate } from '../paginate.js';
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
export { type Client, createClient } from './client.js';
export type { Fetch, FetchAnswer, FetchRequest } from './fetch.js';
export type { ClientOptions } from './server.js';
