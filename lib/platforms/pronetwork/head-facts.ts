import { resolveReferences } from '../../read/html-text.js';
import { visibleOrNull } from './mask-check.js';
import type { PronetworkEducation, PronetworkExperience } from './objects.js';

/** The facts before the connections, each with its label. None contains the separator. */
const pattern =
  /(?:^| · )(?:Experience: (?<company>[^·]+) · )?(?:Education: (?<school>[^·]+) · )?(?:Location: [^·]+ · )?[\d,]+\+? connections? on LinkedIn\b/;

/** The employer and the school that the description of a profile names. */
export interface HeadFacts {
  readonly experience: PronetworkExperience[];
  readonly education: PronetworkEducation[];
}

/**
 * Reads the end of a profile's English description: “… · Experience: Ember & Clay · Education: Oslo Map School ·
 * Location: Bergen · 500+ connections on LinkedIn. View …” (2026-07). It names one employer and one school even if
 * the page shows neither list.
 */
export function headFacts(description: string | null): HeadFacts {
  const { company, school } = pattern.exec(resolveReferences(description ?? ''))?.groups ?? {};
  const employer = visibleOrNull(company?.trim() ?? null);
  const place = visibleOrNull(school?.trim() ?? null);
  const blank = { start_date: null, end_date: null };
  return {
    experience:
      employer === null
        ? []
        : [
            {
              ...{ title: null, company: employer, company_url: null, location: null, ...blank },
              ...{ is_current: null, description: null },
            },
          ],
    education:
      place === null
        ? []
        : [{ school: place, school_url: null, degree: null, field_of_study: null, ...blank }],
  };
}
