import type { Platform } from '../platforms.js';
import type { SubjectReader } from '../subject-reader.js';
import { subjects as maps } from './maps/subjects.js';
import { subjects as photosocial } from './photosocial/subjects.js';
import { subjects as pronetwork } from './pronetwork/subjects.js';
import { subjects as shortvideo } from './shortvideo/subjects.js';

/** How each platform identifies its content. */
export const subjectReaders: Readonly<Record<Platform, SubjectReader>> = {
  maps,
  photosocial,
  pronetwork,
  shortvideo,
};
