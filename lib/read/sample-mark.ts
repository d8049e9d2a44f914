import type { Json } from './json.js';

/** Marks a name as a sample's, with its language where another was requested. */
export const sampleMark = (language: Json | undefined, requested: Json | undefined) =>
  typeof language === 'string' && language !== requested ? `(sample, language ${language})` : '(sample)';
