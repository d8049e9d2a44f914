import parser from '@typescript-eslint/parser';
import rules from 'eslint-plugin-n8n-nodes-base';
import * as json from 'jsonc-eslint-parser';

const plugins = { 'n8n-nodes-base': rules };

/** All rules of n8n's linter, each for the files it is about. */
export default [
  { ignores: ['dist', 'node_modules', 'eslint.config.mjs'] },
  {
    files: ['nodes/**/*.ts'],
    plugins,
    languageOptions: { parser },
    rules: {
      ...rules.configs.nodes.rules,
      // “Google Maps” is a name.
      'n8n-nodes-base/node-param-resource-with-plural-option': 'off',
      // Both apply only to n8n's own repository, where a constant replaced the word.
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
    },
  },
  {
    files: ['credentials/**/*.ts'],
    plugins,
    languageOptions: { parser },
    rules: {
      ...rules.configs.credentials.rules,
      // Our own page, not the name of one of n8n's.
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
    },
  },
  {
    files: ['package.json'],
    plugins,
    languageOptions: { parser: json },
    rules: rules.configs.community.rules,
  },
];
