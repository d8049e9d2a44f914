import assert from 'node:assert/strict';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Case } from '../../lib/samples.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { pagesOf } from '../support/cases.js';

/** The pages of an answer, which hold the schema (the road checks that); null for a named outcome of the platform's. */
export async function honestPages(
  endpoint: Endpoint,
  one: Case,
  source: PageSource,
): Promise<unknown[] | null> {
  try {
    return await pagesOf(endpoint, one, source, 3);
  } catch (error) {
    const about = `${endpoint.path}, ${one.name}: ${error instanceof Error ? error.stack : String(error)}`;
    assert.ok(error instanceof ExtractError, about);
    assert.ok(['platform', 'not_found'].includes(error.type), about);
    return null;
  }
}
