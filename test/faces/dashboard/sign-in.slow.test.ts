import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Browser } from './support/browser.js';
import { dashboardServer } from './support/server.js';

const server = await dashboardServer();
const token = () => server.mailer.token();

const fresh = () => new Browser(server.app);

describe('signing in', () => {
  test('leads through a link to the requested page', async () => {
    const browser = fresh();
    const form = await browser.get('/dashboard?x=1');
    assert.equal(form.url, '/sign-in?next=%2Fdashboard%3Fx%3D1');
    const sent = await browser.submit(form, 'form', { email: 'ada@example.com' });
    assert.equal(sent.url, '/sign-in/sent');
    assert.equal(sent.$('h1').text(), 'Check your e-mail');
    const confirm = await browser.get(`/sign-in/confirm?token=${token()}`);
    assert.match(confirm.$('main').text(), /You are signing in as ada@example\.com/);
    const page = await browser.submit(confirm, 'main form');
    assert.equal(page.url, '/dashboard?x=1&done=welcome');
    assert.match(page.$('.callout').text(), /^Welcome/);
    assert.match(page.$('.account').text(), /^ada@example\.com/);
    // The overview shows it among its figures, and so not beside the name.
    assert.match(page.$('main').text(), /Balance\s*500/);
    assert.equal((await browser.get('/')).url, '/dashboard');
  });

  test('says the same whether there is an account or not', async () => {
    await server.account({ email: 'known@example.com' });
    const texts = await Promise.all(
      ['known@example.com', 'unknown@example.com'].map(async (email) => {
        const browser = fresh();
        const { $ } = await browser.submit(await browser.get('/sign-in'), 'form', { email });
        $('[name=_csrf]').removeAttr('value');
        return $('main').html();
      }),
    );
    assert.equal(texts[0], texts[1]);
  });

  test('takes a link in any browser, once, and only by its button', async () => {
    const asking = fresh();
    await asking.submit(await asking.get('/sign-in'), 'form', { email: 'ida@example.com' });
    const link = `/sign-in/confirm?token=${token()}`;
    const phone = fresh();
    // What scans mails looks at the page, and so does somebody who thinks twice.
    for (let visit = 0; visit < 3; visit += 1) assert.equal((await fresh().get(link)).status, 200);
    assert.equal((await phone.openLink(token())).url, '/dashboard?done=welcome');
    const refused = await asking.get(link);
    assert.equal(refused.status, 400);
    assert.match(refused.$('main').text(), /A link works once, for fifteen minutes/);
    const form = await asking.get('/sign-in');
    assert.equal((await asking.submit(form, 'form', { email: 'ida@example.com' })).url, '/sign-in/sent');
    for (const query of ['', '?token=', `?token=${'x'.repeat(5000)}`, '?token=a&token=b'])
      assert.equal((await fresh().get(`/sign-in/confirm${query}`)).status, 400, query);
  });

  test('accepts the code of the e-mail in the browser that requested it', async () => {
    const browser = fresh();
    const sent = await browser.submit(await browser.get('/sign-in'), 'form', { email: 'cod@example.com' });
    const code = server.mailer.code();
    const wrong = await browser.submit(sent, 'main form', { code: code === '000000' ? '000001' : '000000' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.$('#code-problem').text(), /You have 4 more tries/);
    const elsewhere = fresh();
    const other = await elsewhere.submit(await elsewhere.get('/sign-in/sent'), 'main form', { code });
    assert.match(other.$('#code-problem').text(), /Open the link in the e-mail/);
    assert.equal((await browser.submit(wrong, 'main form', { code })).url, '/dashboard?done=welcome');
    // A form of another place is refused, as everywhere.
    const bare = await server.app.inject({ method: 'POST', url: '/sign-in/code', payload: { code } });
    assert.equal(bare.statusCode, 403);
  });

  test('ends by a form, and the cookie with it', async () => {
    const { browser } = await server.signedIn();
    const out = await browser.submit(await browser.get('/dashboard'), 'form[action$=sign-out]');
    assert.equal(out.url, '/sign-in?done=signed-out');
    assert.equal(out.$('.callout').text(), 'You are signed out.');
    assert.match((await browser.get('/dashboard')).url, /^\/sign-in\?next=/);
  });

  test('leads nowhere else, however the address is spelled', async () => {
    const places = [
      ...[
        'https://evil.example',
        '//evil.example',
        '/\\evil.example',
        '/dashboard/../../evil',
        '/dashboardx',
      ],
      ...['/dashboard@evil.example', 'javascript:alert(1)', '/dashboard/..//evil.example', '/v1/account'],
      ...['dashboard', '/dashboard\\..\\..\\evil', '\t//evil.example', '', '/', '/dashboard/../x'],
      `/dashboard/${'x'.repeat(2000)}`,
    ];
    for (const [index, place] of places.entries()) {
      const browser = fresh();
      const form = await browser.get(`/sign-in?next=${encodeURIComponent(place)}`);
      assert.equal(form.$('[name=next]').attr('value'), '/dashboard', place);
      await browser.submit(form, 'form', { email: `eve${index}@example.com`, next: place });
      const { url } = await browser.openLink(token());
      assert.match(url, /^\/dashboard(\?done=welcome)?$/, place);
    }
  });
});

describe('cookies', () => {
  async function cookieLines(publicAddress: string): Promise<string[]> {
    const { app, mailer } = await dashboardServer({ publicAddress });
    const form = await new Browser(app).send({ url: '/sign-in' });
    const csrf = String(form.headers['set-cookie']);
    const cookie = csrf.split(';', 1)[0] ?? '';
    const token = /name="_csrf" value="([^"]+)"/.exec(form.body)?.[1] ?? '';
    const post = (url: string, values: Record<string, string>, cookies: readonly string[]) =>
      app.inject({
        ...{ method: 'POST', url, payload: new URLSearchParams({ _csrf: token, ...values }).toString() },
        headers: { cookie: cookies.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
      });
    const sent = await post('/sign-in', { email: 'a@example.com', next: '' }, [cookie]);
    const links = [sent.headers['set-cookie'] ?? []].flat();
    const cookies = [cookie, ...links.map((line) => line.split(';', 1)[0] ?? '')];
    const opened = await post('/sign-in/confirm', { token: mailer.token() }, cookies);
    return [csrf, ...links, ...[opened.headers['set-cookie'] ?? []].flat()];
  }

  test('are inaccessible to scripts and other sites', async () => {
    const lines = await cookieLines('http://docs.test');
    assert.equal(lines.length, 6);
    for (const line of lines) {
      assert.match(line, /^extract_(form|browser|next|session)=.*; Path=\/.*; HttpOnly; SameSite=Lax/);
      assert.doesNotMatch(line, /Domain|Secure/);
    }
    assert.match(lines.at(-1) ?? '', /^extract_session=.*Max-Age=2592000/);
  });

  test('are only sent over TLS if the server has it', async () => {
    for (const line of await cookieLines('https://extract.example.com')) {
      assert.match(line, /^__Host-extract_.*; Path=\/.*; HttpOnly; Secure; SameSite=Lax/);
    }
  });
});
