/** Parts of the dashboard that the tests of the others do not follow links to. */
export const elsewhere = ['jobs', 'packs', 'settings'].map((name) => `/dashboard/${name}`);
