import type { Change } from './change.js';

const points = [0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.99];

/** The page cut off at points. */
export const cuts = (page: string): Change[] =>
  points.map((part) => ({
    kind: 'cut',
    what: `at ${Math.round(part * 100)} %`,
    text: () => page.slice(0, Math.floor(page.length * part)),
  }));

/** Another subject's page instead of the page, and both in one, in either order. */
export function swaps(page: string, other: string, name: string): Change[] {
  return [
    { kind: 'swapped', what: name, text: () => other },
    { kind: 'joined', what: `before ${name}`, text: () => page + other },
    { kind: 'joined', what: `after ${name}`, text: () => other + page },
  ];
}
