import type { WorldPlace } from './place.js';
import { html, recordedCase, recordedPage } from './recorded-pages.js';

/** Most datacentres get a 999 instead of a page. */
const refused = { refuses: recordedCase('pronetwork/profile', 'refused with 999') };

/** The company. Numbered companies such as `ember-and-clay-12` exist, too, without limit. */
export const company = 'ember-and-clay';
/** The job search. Numbered searches such as `lantern engineer 12` exist, too, without limit. */
export const jobQuery = 'lantern engineer';
/** Jobs of the first three parts of a search; later ones are read from their own pages. */
const goneFragments = ['4300000004', '4300000010'];

/** The ID of a job in a numbered search. */
const jobOf = (id: string, search: number) =>
  search === 0 ? id : `43${String(search).padStart(4, '0')}${id.slice(-4)}`;
const copied = (text: string, search: number) =>
  search === 0 ? text : text.replace(/\b430000(\d{4})\b/g, (id) => jobOf(id, search));

export const places: readonly WorldPlace[] = [
  {
    name: 'LinkedIn guest interface',
    routes: [
      'pronetwork/jobs typeahead',
      'pronetwork/jobs search',
      'pronetwork/jobs job-posting',
      'pronetwork/company company-names',
      'pronetwork/company company-jobs',
      'pronetwork/posts feed-updates',
    ],
    takes: ({ path }) => /^\/(?:jobs|organization)-guest\//.test(path),
    page({ path, query }) {
      const [, search = '0', end] = /jobPosting\/43(\d{4})(\d{4})$/.exec(path) ?? [];
      if (end !== undefined) {
        const id = `430000${end}`;
        if (goneFragments.includes(id)) return { status: 404 };
        return html(copied(recordedPage(`pronetwork/jobs/jobs/${id}.html`), Number(search)));
      }
      const number = Number(/(\d+)$/.exec(query.get('keywords') ?? '')?.[1] ?? 0);
      const start = query.get('start');
      if (start === '28') return html('<!DOCTYPE html>\n\n<!---->');
      return html(copied(recordedPage(`pronetwork/jobs/list-${start}.html`), number));
    },
  },
  {
    name: 'LinkedIn embeds',
    routes: ['pronetwork/posts post-embed'],
    takes: ({ path }) => path.startsWith('/embed/'),
    page({ path }) {
      const names: Readonly<Record<string, string>> = {
        '7467515356643328077': 'plantera',
        '7462804314390528077': 'film',
        '7456281332809728077': 'artikel',
      };
      const name = names[path.slice(path.lastIndexOf(':') + 1)];
      return name === undefined
        ? { ...html(recordedPage('pronetwork/posts/missing.html')), status: 404 }
        : html(recordedPage(`pronetwork/posts/embed-${name}.html`));
    },
  },
  {
    name: 'LinkedIn job pages',
    routes: ['pronetwork/jobs search-page', 'pronetwork/jobs job-page'],
    takes: ({ path }) => path.startsWith('/jobs/'),
    page({ path }) {
      const [, search, end] = /view\/43(\d{4})(\d{4})$/.exec(path) ?? [];
      if (search === undefined) return undefined;
      const file = `430000${end}` === '4300000010' ? 'closed' : 'open';
      return html(copied(recordedPage(`pronetwork/jobs/${file}.html`), Number(search)));
    },
  },
  {
    name: 'LinkedIn pages',
    routes: [
      'pronetwork/profile profile-page',
      'pronetwork/company company-page',
      'pronetwork/posts posts-page',
      'pronetwork/posts post-page',
    ],
    takes: ({ host }) => host === 'www.linkedin.com',
    page({ path }) {
      const name = decodeURIComponent(path);
      if (name === '/in/ilse-brandvik') return html(recordedPage('pronetwork/profile/rich.html'));
      if (name === '/in/åsa_björknäs') return html(recordedPage('pronetwork/posts/lists.html'));
      const [, slug] = /^\/company\/(ember-and-clay(?:-\d+)?)$/.exec(name) ?? [];
      if (slug !== undefined) return html(recordedPage('pronetwork/company/rich.html', { [company]: slug }));
      return name.startsWith('/posts/')
        ? { ...html(recordedPage('pronetwork/posts/missing.html')), status: 404 }
        : undefined;
    },
    datacentre: refused,
  },
];
