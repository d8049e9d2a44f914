import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { digestOf } from '../../../src/service/notify/digest.js';
import { discordMessage } from '../../../src/service/notify/kinds/discord.js';
import { noticeMail } from '../../../src/service/notify/kinds/mail.js';
import { mattermostMessage } from '../../../src/service/notify/kinds/mattermost.js';
import { ntfyMessage } from '../../../src/service/notify/kinds/ntfy.js';
import { slackMessage } from '../../../src/service/notify/kinds/slack.js';
import { teamsMessage } from '../../../src/service/notify/kinds/teams.js';
import { NoticeCollector } from '../../../src/service/notify/notice-collector.js';
import { changedProfile, newItems } from './notices.js';

const topic = 'https://ntfy.example/base/my%20topic?auth=x';
const texts = {
  slack: (notice = newItems(1)) => slackMessage(digestOf(notice)).body,
  discord: (notice = newItems(1)) => discordMessage(digestOf(notice)).body,
  mattermost: (notice = newItems(1)) => mattermostMessage(digestOf(notice)).body,
  teams: (notice = newItems(1)) => teamsMessage(digestOf(notice)).body,
  ntfy: (notice = newItems(1)) => ntfyMessage(digestOf(notice), topic).body,
  mail: (notice = newItems(1)) => noticeMail('ada@example.com', digestOf(notice)).text,
};

describe('an alert', () => {
  test('shows its subject, the values before and after, and a link in every format', () => {
    for (const [kind, text] of Object.entries(texts)) {
      const message = text(changedProfile());
      const changes = ['12,000 → 12,480', 'Tea. → unknown'];
      for (const part of ['1 changed: shortvideo/profile', ...changes, 'places.example/r/ada'])
        assert.ok(message.includes(part), `${kind}: ${part} in ${message}`);
      assert.ok(text().includes('1 new: Bad reviews'), kind);
      assert.ok(text().includes('dashboard/jobs/job_1'), kind);
    }
  });

  test('summarizes many items within the limits of its target', () => {
    const many = newItems(400, 'x'.repeat(500));
    const bounds = {
      ...{ slack: 4000, discord: 8000, mattermost: 16_383, teams: 28_000, ntfy: 4096, mail: 200_000 },
    };
    for (const [kind, text] of Object.entries(texts)) {
      const message = text(many);
      assert.ok(message.length <= bounds[kind as keyof typeof bounds], `${kind}: ${message.length}`);
      assert.match(message, /400 new/, kind);
      assert.match(message, /and 3\d\d more/, kind);
    }
  });

  test('keeps the bounds of its target in bytes, whatever the script', () => {
    const collector = new NoticeCollector({ isNews: true });
    for (let at = 0; at < 100; at += 1) {
      const change = ['東'.repeat(90), '京'.repeat(90)] as const;
      const changed = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`field_${index}`, change]));
      const data = { name: '都'.repeat(200) };
      collector.add({ input: {}, data, sources: [], changed });
    }
    const digest = digestOf(collector.notice({ ...newItems(1) }) as ReturnType<typeof newItems>);
    assert.ok(Buffer.byteLength(teamsMessage(digest).body) <= 28_000);
    assert.ok(JSON.parse(teamsMessage(digest).body).attachments[0].content.body.length > 20);
    assert.ok(Buffer.byteLength(JSON.parse(ntfyMessage(digest, topic).body).message) <= 4096);
  });

  test('neutralises text of pages: no mention, no link, no extra line', () => {
    assert.match(JSON.parse(texts.slack()).text, /&lt;!channel&gt; \*Cold\* \[soup\].*&amp; "rain"/);
    const discord = JSON.parse(texts.discord());
    assert.deepEqual(discord.allowed_mentions, { parse: [] });
    assert.match(discord.embeds[0].title, /@\u200beveryone.*\\\*Cold\\\* \\\[soup\\\]/);
    assert.match(JSON.parse(texts.mattermost()).text, /@\u200beveryone.*\\\[soup\\\]/);
    const [, entry] = JSON.parse(texts.teams()).attachments[0].content.body;
    assert.equal(entry.inlines[1].selectAction.url, 'https://places.example/r/r0');
    const lure = () =>
      newItems(1, 'Pay \u202eat https://evil.example/a, www.evil.example or ada@evil.example');
    for (const [kind, text] of Object.entries(texts)) {
      assert.doesNotMatch(text(lure()), /\u202e/, kind);
      if (kind === 'ntfy' || kind === 'mail')
        assert.doesNotMatch(text(lure()), /\w:\/\/evil|www\.evil|ada@evil|evil\.example/, kind);
    }
    const broken = newItems(1, 'one\r\nSubject: two\u0000');
    assert.match(texts.mail(broken), /: one Subject: two\n/);
  });

  test('of ntfy goes to its server, for the topic of the address', () => {
    const { url, body } = ntfyMessage(digestOf(newItems(1)), topic);
    assert.equal(url, 'https://ntfy.example/base?auth=x');
    const click = 'https://places.example/r/r0';
    assert.partialDeepStrictEqual(JSON.parse(body), { topic: 'my topic', click });
  });
});
