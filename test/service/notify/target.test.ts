import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { parseTarget, shownTarget } from '../../../src/service/notify/target.js';

test('a target is recognised by its host or the kind before it, and shown without its secret', () => {
  for (const [text, kind, address] of [
    ['https://hooks.slack.com/services/T0/B0/secret', 'slack', 'slack: hooks.slack.com/…'],
    ['https://discord.com/api/webhooks/1/secret', 'discord', 'discord: discord.com/…'],
    ['https://x.webhook.office.com/secret', 'teams', 'teams: x.webhook.office.com/…'],
    ['https://prod-1.logic.azure.com:443/workflows/secret', 'teams', 'teams: prod-1.logic.azure.com/…'],
    ['https://ntfy.sh/secret', 'ntfy', 'ntfy: ntfy.sh/…'],
    ['mattermost:https://chat.example/hooks/secret', 'mattermost', 'mattermost: chat.example/…'],
    ['slack:http://127.0.0.1:8080/secret', 'slack', 'slack: 127.0.0.1:8080/…'],
    ['https://example.com/secret', 'webhook', 'webhook: example.com/…'],
    ['ada@example.com', 'mail', 'mail: ada@example.com'],
    ['mailto:ada@example.com', 'mail', 'mail: ada@example.com'],
  ] as const) {
    const target = parseTarget(text);
    assert.equal(target.kind, kind, text);
    assert.equal(shownTarget(target), address);
  }
});

test('an invalid target is refused, and its secret is not repeated', () => {
  for (const text of [
    ...['secret', 'ftp://example.com/secret', 'https://ada:secret@example.com', 'mail:secret'],
    ...['telegram:https://example.com/secret', 'ntfy:https://ntfy.example/', 'https://ntfy.sh/secret%'],
    `https://example.com/${'secret'.repeat(400)}`,
  ]) {
    assert.throws(
      () => parseTarget(text),
      (error) =>
        error instanceof ExtractError && error.code === 'invalid_parameter' && !/secret/.test(error.message),
      text,
    );
  }
});
