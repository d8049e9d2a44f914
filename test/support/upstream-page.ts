/**
 * Keys under which the upstream's pages carry their data. They are as long as on real pages, because readers search for
 * them.
 */
export const scriptId = '__PAGE_DATA_FOR_REHYDRATION__';
export const accountKey = 'page.account-detail';

/** The markup before the data. */
export const scriptStart = `<script id="${scriptId}" type="application/json">`;
