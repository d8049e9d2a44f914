/** Under which names the upstream's pages carry their data. As long as those of real pages: one searches for them. */
export const scriptId = '__PAGE_DATA_FOR_REHYDRATION__';
export const accountKey = 'page.account-detail';

/** The markup before the data. */
export const scriptStart = `<script id="${scriptId}" type="application/json">`;
