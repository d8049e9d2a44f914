import type { Plugin } from 'esbuild';
import * as pageAssets from '../../src/output/site/asset-texts.js';

/** Puts the texts of the pages in place of the module that reads them from the source, as the build does. */
export const packedAssets: Plugin = {
  name: 'packed-assets',
  setup(build) {
    const lines = Object.entries(pageAssets).map(
      ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
    );
    build.onLoad({ filter: /\/site\/asset-texts\.ts$/ }, () => ({ contents: lines.join('\n') }));
  },
};
