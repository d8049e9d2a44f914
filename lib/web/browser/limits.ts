/** Limits of a visit, which no page can exceed. */
export const visitLimits = {
  requests: 1500,
  bytes: 150 * 1024 * 1024,
  /** A page that keeps redirecting is abandoned. */
  documents: 12,
  /** Milliseconds for one document. */
  documentMs: 45_000,
  /** Milliseconds for a document's scripts to render the expected content. */
  scriptsMs: 12_000,
  /** Milliseconds for a page to respond to one gesture. */
  gestureMs: 5_000,
  /** Milliseconds for a page to render what arrived before the next gesture. */
  showMs: 80,
  /** Milliseconds to receive a body after its headers. */
  bodyMs: 20_000,
  /** Milliseconds without a pending request before the next step. */
  quietMs: 300,
  /** Total milliseconds of idle time after which nothing more is expected. */
  patienceMs: 20_000,
  /** Gestures per part of a list. */
  gestures: 1000,
};

export type VisitLimits = typeof visitLimits;
