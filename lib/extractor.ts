import { type BaseExtractor, createBaseExtractor, type ExtractorOptions } from './base-extractor.js';
import type { Config } from './config.js';
import type { FunctionOptions } from './endpoint.js';
import * as table from './endpoints.js';
import type { Functions } from './functions.js';

/** The functions of the library over one data directory, one cache and one pace. */
export interface Extractor extends Functions, BaseExtractor {}

/**
 * Creates an extractor. Files and connections are opened on first use. Throws `invalid_parameter` for a wrong setting.
 */
export function createExtractor(config: Partial<Config> = {}, options: ExtractorOptions = {}): Extractor {
  const extractor = createBaseExtractor(config, options);
  const functions: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(table)) {
    if (typeof value !== 'function') continue;
    const { endpoint } = value;
    functions[name] = (params: never, options?: FunctionOptions) =>
      extractor.run(endpoint as never, params, options);
  }
  return { ...(functions as Functions), ...extractor };
}
