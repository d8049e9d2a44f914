import { readFileSync } from 'node:fs';

const sheets = ['base', 'frame', 'parts', 'forms', 'tables', 'code', 'charts', 'prose', 'docs', 'media'];

const readAsset = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

// The build replaces this module with the two texts. The sheets are in cascade order.
export const style = sheets.map((name) => readAsset(`style/${name}.css`)).join('\n');

export const script = readAsset('script.js');
