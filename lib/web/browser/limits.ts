/** The limits of a visit, whatever its page does. */
export const visitLimits = {
  /** Requests of one visit. */
  requests: 1500,
  /** Bytes of all their answers, as they came over the wire. */
  bytes: 150 * 1024 * 1024,
  /** Documents of the page itself: one that leads on and on is left. */
  documents: 12,
  /** Milliseconds for one document. */
  documentMs: 45_000,
  /** Milliseconds for the scripts of a document to become what it is to hold. */
  scriptsMs: 12_000,
  /** Milliseconds for a page to answer one gesture. */
  gestureMs: 5_000,
  /** Milliseconds for a page to show what came, before the next gesture. */
  showMs: 80,
  /** Milliseconds for the body of an answer that has begun. */
  bodyMs: 20_000,
  /** Milliseconds without a request under way, after which the next thing is tried. */
  quietMs: 300,
  /** Milliseconds of such rest, all tries together, after which nothing more is expected. */
  patienceMs: 20_000,
  /** Gestures for one part of a list. */
  gestures: 1000,
};

export type VisitLimits = typeof visitLimits;
