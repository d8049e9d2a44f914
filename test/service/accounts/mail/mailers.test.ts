import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { readHostingConfig } from '../../../../src/config/hosting-config.js';
import { FileMailer } from '../../../../src/service/accounts/mail/file-mailer.js';
import type { Mail, Mailer } from '../../../../src/service/accounts/mail/mailer.js';
import {
  mustEncrypt,
  SmtpMailer,
  type SmtpOptions,
} from '../../../../src/service/accounts/mail/smtp-mailer.js';
import { refusal } from '../../../ledger/ledger-port.js';
import { authority } from '../../../support/authority.js';
import { awakeTime } from '../../../support/awake-time.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { mailServer } from '../../../support/mail-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const mail: Mail = {
  to: 'ann@example.com',
  subject: 'Sign in',
  text: 'Open this:\n\nhttps://x.test/a\n',
};

/** What every mailer promises. `arrived` gives the mails that came out at its other end, in order. */
function mailerSuite(open: () => Promise<{ mailer: Mailer; arrived: () => Promise<readonly Mail[]> }>): void {
  test('a mail arrives unchanged, including non-ASCII text', async () => {
    const { mailer, arrived } = await open();
    const mail = {
      to: 'ann+x@example.com',
      subject: 'Grüße – 挨拶',
      text: `${'Zeile ü '.repeat(200)}\nlast\n`,
    };
    await mailer.send(mail);
    assert.deepEqual(await arrived(), [mail]);
    await mailer.close();
  });

  test('many concurrent mails arrive, each once', async () => {
    const { mailer, arrived } = await open();
    const mails = Array.from({ length: 12 }, (_, at) => ({ ...mail, to: `a${at}@example.com` }));
    await Promise.all(mails.map((one) => mailer.send(one)));
    const came = (await arrived()).map(({ to }) => to);
    assert.deepEqual(came.toSorted(), mails.map(({ to }) => to).toSorted());
    await mailer.close();
  });

  test('no header can be slipped in, and no second address', async () => {
    const { mailer, arrived } = await open();
    const bad: Partial<Mail>[] = [
      { to: 'ann@example.com\r\nBcc: eve@example.com' },
      { to: 'ann@example.com, eve@example.com' },
      { to: 'Ann <ann@example.com>' },
      { to: '' },
      { subject: 'Hello\r\nBcc: eve@example.com' },
      { subject: 'Hello\nX: y' },
      { subject: 'Hello\u0000' },
      { subject: '' },
      { subject: 'x'.repeat(201) },
    ];
    for (const change of bad) {
      await assert.rejects(
        mailer.send({ ...mail, ...change }),
        refusal('internal_error'),
        JSON.stringify(change),
      );
    }
    assert.deepEqual(await arrived(), []);
    await mailer.close();
  });
}

const root = temporaryFolder();
let folders = 0;

function openFileMailer() {
  const folder = path.join(root, String(++folders), 'mails');
  const mails: [Mail, string][] = [];
  const mailer = new FileMailer(folder, new FakeClock(), (one, file) => mails.push([one, file]));
  const arrived = async () =>
    (existsSync(folder) ? readdirSync(folder) : []).map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const [, to = '', subject = '', body = ''] =
        /^Date: \S+\nTo: (.*)\nSubject: (.*)\n\n([\s\S]*)$/.exec(text) ?? [];
      return { to, subject, text: body };
    });
  return { mailer, arrived, folder, kept: mails };
}

describe('mails that are kept', () => {
  mailerSuite(async () => openFileMailer());

  test('are files that only their owner can read, and are reported', async () => {
    const { mailer, folder, kept: mails } = openFileMailer();
    await mailer.send(mail);
    const [name = ''] = readdirSync(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
    assert.deepEqual(mails, [[mail, path.join(folder, name)]]);
  });

  test('are deleted on demand for one address only', async () => {
    const { mailer, folder, arrived } = openFileMailer();
    await mailer.forget(mail.to);
    await mailer.send(mail);
    await mailer.send({ ...mail, to: mail.to.toUpperCase() });
    await mailer.send({ ...mail, to: 'ann@example.com.example', text: `To: ${mail.to}\n` });
    writeFileSync(path.join(folder, 'notes.txt'), `To: ${mail.to}\n`);
    await mailer.forget(mail.to);
    const recipients = (await arrived()).map(({ to }) => to);
    assert.deepEqual(recipients, ['ann@example.com.example', '']);
  });

  test('report an error if they cannot be stored', async () => {
    const { mailer, folder, kept: mails } = openFileMailer();
    writeFileSync(path.dirname(folder), 'in the way');
    await assert.rejects(
      mailer.send(mail),
      refusal('internal_error', /cannot be stored in the data directory/),
    );
    assert.deepEqual(mails, []);
  });
});

const certificates = authority(temporaryFolder());
const ca = readFileSync(certificates.file, 'utf8');
const leaf = certificates.issue('localhost');
const password = 'p@ss/wörd:7';
const login = `ann:${encodeURIComponent(password)}@`;

/** Longer than any test, because other work may delay a process for seconds. */
const patient = { connectMs: 60_000, silenceMs: 60_000, maxMs: 60_000 };

function mailer(url: string, changes: Partial<SmtpOptions> = {}): SmtpMailer {
  const settings = readHostingConfig({
    EXTRACT_SMTP_URL: url,
    EXTRACT_MAIL_FROM: 'Extract <no-reply@x.test>',
  });
  assert.ok(settings.mail);
  return new SmtpMailer({ ...settings.mail, clock: systemClock, timeouts: patient, ...changes });
}

/** Servers that no mail can be handed to, by what they do. */
const broken = {
  'closes at once': (socket: net.Socket) => socket.end(),
  'resets at once': (socket: net.Socket) => socket.resetAndDestroy(),
  'closes after its greeting': (socket: net.Socket) => socket.end('220 mail.example\r\n'),
  'closes on the first command': (socket: net.Socket) => {
    socket.write('220 mail.example\r\n');
    socket.once('data', () => socket.destroy());
  },
  'speaks another language': (socket: net.Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
} as const;

/** A server that does something with every connection, until the end of the test. Resolves with its port. */
async function listening(t: TestContext, act: (socket: net.Socket) => unknown): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    act(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that says something or nothing, and then no more. */
const mute = (t: TestContext, word = '') => listening(t, (socket) => socket.resume().write(word));

describe('mails over SMTP', () => {
  describe('to a server', () => {
    const afters: (() => unknown)[] = [];
    mailerSuite(async () => {
      const server = await mailServer({ after: (end) => void afters.push(end as () => unknown) });
      const inner = mailer(`smtp://127.0.0.1:${server.port}`);
      return {
        mailer: {
          send: (one) => inner.send(one),
          forget: () => inner.forget(),
          async close() {
            await inner.close();
            await Promise.all(afters.map((end) => end()));
          },
        },
        arrived: async () =>
          server.mails.map(({ to, subject, text }, at) => {
            assert.equal(to?.[0]?.address, server.envelopes[at]);
            return { to: server.envelopes[at] ?? '', subject: subject ?? '', text: text ?? '' };
          }),
      };
    });
  });

  test('go over TLS that is verified, with name and password', async (t) => {
    const logins: string[] = [];
    const server = await mailServer(t, {
      ...leaf,
      secure: true,
      onAuth({ username, password: secret }, _, done) {
        logins.push(`${username} ${secret}`);
        done(null, { user: username });
      },
    });
    const url = `smtps://${login}localhost:${server.port}`;
    await mailer(url, { ca }).send(mail);
    assert.deepEqual(logins, [`ann ${password}`]);
    assert.deepEqual([server.mails.length, server.secured], [1, 1]);
    await assert.rejects(mailer(url).send(mail), refusal('internal_error', /could not be sent/));
    await assert.rejects(mailer(url.replace('localhost', '127.0.0.1'), { ca }).send(mail));
    assert.equal(server.mails.length, 1);
  });

  test('use TLS if a server offers it after connecting', async (t) => {
    const server = await mailServer(t, { ...leaf, authOptional: true });
    await mailer(`smtp://localhost:${server.port}`, { ca }).send(mail);
    assert.deepEqual([server.mails.length, server.secured], [1, 1]);
    await assert.rejects(mailer(`smtp://localhost:${server.port}`).send(mail));
  });

  for (const [does, act] of Object.entries(broken)) {
    test(`to a server that ${does} fail after one connection, and say which setting to look at`, async (t) => {
      let connections = 0;
      const port = await listening(t, (socket) => {
        connections += 1;
        act(socket);
      });
      const began = awakeTime();
      await assert.rejects(
        mailer(`smtp://127.0.0.1:${port}`).send(mail),
        refusal('internal_error', /^The e-mail could not be sent: .*; check EXTRACT_SMTP_URL\.$/),
      );
      assert.equal(connections, 1);
      assert.ok(awakeTime() - began < 30_000, 'it waited for a word');
    });
  }

  test('report a refusal without the password', async (t) => {
    const refuse = (words: string, code: number) => Object.assign(new Error(words), { responseCode: code });
    const base64 = Buffer.from(`\0ann\0${password}`).toString('base64');
    const plain = { disabledCommands: ['STARTTLS'], authOptional: true };
    for (const [options, words, name = ''] of [
      [
        {
          ...{ allowInsecureAuth: true, authOptional: false },
          onAuth: (_, __, done) => done(refuse(`no ${password} and no ${base64}`, 535)),
        },
        /name and password/,
        login,
      ],
      [
        { onRcptTo: (_, __, done) => done(refuse('no such person', 550)) },
        /rejects the recipient’s address \(550\)\./,
      ],
      [
        { onRcptTo: (_, __, done) => done(refuse('greylisted', 451)) },
        /accepts no e-mail for this recipient now \(451\)\. Try again later/,
      ],
      [
        { onMailFrom: (_, __, done) => done(refuse('not of ours', 553)) },
        /rejects the sender; check EXTRACT_MAIL_FROM/,
      ],
    ] satisfies [Parameters<typeof mailServer>[1], RegExp, string?][]) {
      const { port } = await mailServer(t, { ...plain, ...options });
      await assert.rejects(mailer(`smtp://${name}127.0.0.1:${port}`).send(mail), (error: unknown) => {
        assert.ok(error instanceof ExtractError && words.test(error.message), String(error));
        const { cause } = error;
        assert.ok(cause instanceof Error && !/wörd/.test(`${cause.message}${cause.stack}`));
        assert.ok(!cause.message.includes(base64));
        return true;
      });
    }
  });

  test('time out without a connection, a greeting or a reply', async (t) => {
    const timeouts = { ...patient, connectMs: 60, silenceMs: 60 };
    for (const word of ['', '220 hello\r\n']) {
      const port = await mute(t, word);
      const sending = mailer(`smtp://127.0.0.1:${port}`, { timeouts }).send(mail);
      await assert.rejects(sending, refusal('internal_error', /could not be sent/), JSON.stringify(word));
    }
    for (const [url, words] of [
      ['smtp://127.0.0.1:1', /cannot be reached/],
      ['smtp://mail.invalid', /cannot be found|cannot be reached|failed/],
    ] as const) {
      await assert.rejects(mailer(url, { timeouts }).send(mail), refusal('internal_error', words));
    }
  });

  test('time out if a server never finishes', async (t) => {
    const clock = new FakeClock();
    const port = await mute(t, '220-hello\r\n');
    const timeouts = { ...patient, maxMs: 30_000 };
    const sending = mailer(`smtp://127.0.0.1:${port}`, { timeouts, clock }).send(mail);
    const refused = assert.rejects(sending, refusal('internal_error', /in time|failed/));
    await clock.untilSleeping(1);
    await clock.advance(30_000);
    await refused;
    assert.equal(clock.sleeping, 0);
  });

  test('end with the mailer while they are being sent', async (t) => {
    const port = await mute(t, '220 hello\r\n');
    const one = mailer(`smtp://127.0.0.1:${port}`);
    const refused = assert.rejects(one.send(mail), refusal('internal_error'));
    await new Promise((turn) => setImmediate(turn));
    await one.close();
    await refused;
    // No delivery starts after closing: a stopping server would wait for it.
    await assert.rejects(one.send(mail), refusal('internal_error'));
  });
});

test('a password never leaves the machine unencrypted', () => {
  const server = { host: 'mail.example.com', port: 587, secure: false, login: { user: 'ann', password } };
  assert.equal(mustEncrypt(server), true);
  assert.equal(mustEncrypt({ ...server, host: '127.0.0.1.example.com' }), true);
  assert.equal(mustEncrypt({ ...server, login: undefined }), false);
  for (const host of ['localhost', '127.0.0.1', '::1']) assert.equal(mustEncrypt({ ...server, host }), false);
});
