import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrapText } from '../../../src/faces/cli/terminal-text.js';

test('sentences are wrapped at the width of the terminal, and indented commands are not', async () => {
  const terminal = { isTTY: true, columns: 24, write: async () => {} };
  const command = '  extract tiktok video https://www.tiktok.com/@nasa/video/7571863205253778710';
  assert.equal(
    await wrapText(`This URL is for another endpoint.\nDid you mean:\n${command}`, terminal),
    `This URL is for another\nendpoint.\nDid you mean:\n${command}`,
  );
});
