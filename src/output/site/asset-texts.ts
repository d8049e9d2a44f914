import { readFileSync } from 'node:fs';

/** The parts of the style sheet, in the order in which later ones override earlier ones. */
const sheets = ['base', 'frame', 'parts', 'forms', 'tables', 'code', 'charts', 'prose', 'docs', 'media'];

const readAsset = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

// The build replaces this module with the two texts.
/** The style sheet of every page. */
export const style = sheets.map((name) => readAsset(`style/${name}.css`)).join('\n');

/** The script of every page. */
export const script = readAsset('script.js');
