/** What each exit status means; `exitStatus` of the catalogue says which error has which. */
export const exitStatuses: readonly (readonly [status: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'an internal error of extract'],
  [2, 'wrong usage or parameters'],
  [3, 'authentication, permission or credits'],
  [4, 'not found, private or gone'],
  [5, 'the platform refused, failed or changed'],
  [6, 'rate limited'],
  [7, 'a batch finished with failed lines'],
  [130, 'interrupted'],
];
