import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { fits, identifyingParams, takesUrl } from '../../output/plain-argument.js';

type Item = Readonly<Record<string, unknown>>;

/** The known fields of an item's source: all of them in a line, some in a table. */
export type KnownSource = Partial<Pick<ItemSource, 'id' | 'url' | 'author'>>;

/** Fields of objects that identify the subject of a parameter on the same platform. */
const identifyingFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  maps_place: { place_id: 'place_id' },
  maps_place_detail: { place_id: 'place_id' },
  photosocial_profile: { username: 'username' },
  photosocial_post: { shortcode: 'shortcode', username: 'username' },
  photosocial_comment: { username: 'username' },
  shortvideo_profile: { username: 'username' },
  shortvideo_video: { id: 'id' },
  shortvideo_comment: { id: 'video_id', username: 'username' },
};

const objectName = ({ returns }: Endpoint) => returns.meta()?.id ?? '';

let fieldsOfObjects: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns the fields of each kind of object, the largest kind first. */
function objects(): ReadonlyMap<string, readonly string[]> {
  fieldsOfObjects ??= new Map(
    endpoints
      .map((endpoint) => {
        const { shape = {} } = endpoint.returns as { readonly shape?: object };
        return [objectName(endpoint), Object.keys(shape)] as const;
      })
      .sort(([, one], [, other]) => other.length - one.length),
  );
  return fieldsOfObjects;
}

/** Returns the kind of object that has all fields of this one; null if it is not an item. */
export function objectKind(item: Item): string | null {
  for (const [name, fields] of objects()) {
    if (fields.length > 0 && fields.every((field) => Object.hasOwn(item, field))) return name;
  }
  return null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Returns the parameters to call an endpoint for an item: its identifying field, or else the address of the item or its
 * author. Null if none fits.
 */
export function paramsOfItem(
  endpoint: Endpoint,
  item: Item,
  source: KnownSource | undefined,
): Readonly<Record<string, string>> | null {
  const kind = objectKind(item);
  const fields = kind?.startsWith(`${endpoint.platform}_`) === true ? identifyingFields[kind] : undefined;
  const names = identifyingParams(endpoint);
  for (const name of names) {
    const value = textOf(item[fields?.[name] ?? (kind === null ? name : '')]);
    if (value !== null && fits(endpoint, name, value)) return { [name]: value };
  }
  const handle = textOf(source?.author?.handle);
  const isOfPlatform = kind?.startsWith(`${endpoint.platform}_`) === true;
  if (isOfPlatform && handle !== null && names.includes('username')) return { username: handle };
  const addresses = [source?.url, source?.author?.url].flatMap((url) => textOf(url) ?? []);
  for (const name of names.filter(takesUrl)) {
    const url = addresses.find((address) => fits(endpoint, name, address));
    if (url !== undefined) return { [name]: url };
  }
  return null;
}
