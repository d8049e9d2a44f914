// Plain JavaScript: the types of highlight.js would add the browser's to every file of the project.
import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

for (const [name, language] of Object.entries({ bash, javascript, json, python, typescript })) {
  highlight.registerLanguage(name, language);
}

/** Returns code as HTML with classes for its tokens; plain text for an unknown language. */
export function highlighted(text, language) {
  const known = highlight.getLanguage(language) !== undefined;
  return known
    ? highlight.highlight(text, { language }).value
    : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
