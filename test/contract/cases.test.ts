import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { casesOf } from '../../lib/samples.js';
import { expectedAnswers, pagesOf } from '../support/cases.js';

for (const endpoint of endpoints) {
  for (const one of await casesOf(endpoint)) {
    test(`${endpoint.path}: ${one.name}`, async () => {
      if (one.error === undefined) {
        assert.deepEqual(await pagesOf(endpoint, one), expectedAnswers(endpoint, one));
        return;
      }
      await assert.rejects(pagesOf(endpoint, one), (error) => {
        assert.ok(error instanceof ExtractError, String(error));
        assert.equal(error.code, one.error, error.message);
        return true;
      });
    });
  }
}
