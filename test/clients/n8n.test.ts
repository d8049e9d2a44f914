import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { n8nNode } from '../../scripts/n8n-node.js';

test('the node of n8n is what the table of endpoints makes of it', () => {
  for (const [file, text] of Object.entries(n8nNode())) {
    assert.equal(readFileSync(path.join(packageRoot(), file), 'utf8'), text, file);
  }
});
