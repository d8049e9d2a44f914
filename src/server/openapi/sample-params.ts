import type { Endpoint } from '../../../lib/endpoint.js';
import { casesOf } from '../../../lib/samples.js';

/** The parameters that the first sample of an endpoint was asked with. */
export async function sampleParams(endpoint: Endpoint): Promise<Readonly<Record<string, unknown>>> {
  const [first] = await casesOf(endpoint);
  return first?.params ?? {};
}
