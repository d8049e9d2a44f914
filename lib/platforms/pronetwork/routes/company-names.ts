import { ExtractError } from '../../../errors/extract-error.js';
import type { Route } from '../../../routes/route.js';
import { wordsOf } from '../search-words.js';
import { readSuggestions, type Suggestion } from '../suggestions.js';
import { suggestionsUrl } from '../urls.js';

const folded = (name: string) => wordsOf(name).join(' ');

/**
 * Returns the company whose name has the same words. Throws if the platform suggests none or several with that name,
 * which proves nothing missing.
 */
export function companyNamed(name: string, suggestions: readonly Suggestion[]): Suggestion {
  const [company, ...others] = suggestions.filter((one) => folded(one.name) === folded(name));
  if (company !== undefined && others.length === 0) return company;
  const names = [...new Set(suggestions.map((one) => `“${one.name}”`))].slice(0, 5).join(', ');
  throw new ExtractError(
    'platform_login_required',
    company !== undefined
      ? `LinkedIn knows ${others.length + 1} companies named “${company.name}”.`
      : names === ''
        ? `LinkedIn suggests no company for “${name}”.`
        : `LinkedIn suggests no company named “${name}”, but ${names}.`,
    { next: 'Give the URL of the company’s page, or its complete name as LinkedIn writes it.' },
  );
}

/** The companies that the platform suggests for a typed name. Returns the number of the company with that name. */
export const companyNames: Route<string, string> = {
  name: 'company-names',
  reads: 'The number of the company with a name.',
  surface: 'guest',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  async read({ identity: name, session }) {
    const page = await session.fetch({ url: suggestionsUrl('company', name) });
    return companyNamed(name, readSuggestions(page)).id;
  },
};
