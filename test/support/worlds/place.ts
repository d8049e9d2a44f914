import type { SiteAnswer, SiteRequest } from '../browser-site.js';

/** The two kinds of networks of visitors. */
export const worlds = ['home', 'datacentre'] as const;
export type WorldName = (typeof worlds)[number];

/** What a place of a platform does with a request where it does not answer: it refuses it so, or answers thinly. */
export type Behaviour =
  /** Every other answer, starting with the first, lacks most of the data. */
  'is thin at first' | { readonly refuses: SiteAnswer };

/** A public place of a platform: addresses that answer, or are refused, together. */
export interface WorldPlace {
  readonly name: string;
  /** The routes that are read here, as `endpoint route`. */
  readonly routes: readonly string[];
  /** True for a request to this place. The first matching place of a platform answers. */
  takes(request: SiteRequest): boolean;
  /** The answer; undefined for a subject outside the world. */
  page(request: SiteRequest): SiteAnswer | undefined;
  /** The thin form of an answer. */
  thin?(request: SiteRequest): SiteAnswer | undefined;
  /** By the evidence of late 2026; undefined where it answers. */
  readonly home?: Behaviour;
  readonly datacentre?: Behaviour;
}
