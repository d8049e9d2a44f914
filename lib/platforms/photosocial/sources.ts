import { ExtractError } from '../../errors/extract-error.js';
import { ErrorRoute, refusal } from '../../errors/outcomes.js';
import { firstAnswer } from '../../read/first-answer.js';
import { NamelessPage, NullDocument, SubjectWithoutData } from './outcome.js';
import type { PageHead } from './page-head.js';

/** An answer, and whether it lacks what only the subject's data has. */
export interface SourcedAnswer<T> {
  readonly answer: T;
  readonly brief: boolean;
}

/** The facts known of the subject when a further source is asked. */
export interface SubjectSoFar {
  /** An earlier page named it: it exists. */
  readonly isNamed: boolean;
}

/** One way to an answer. */
type Source<T> = (subject: SubjectSoFar) => Promise<T>;

const provesNothing = () =>
  refusal('unknown_layout', 'The platform answered with nothing, and no page says that there is nothing.');

/**
 * The answer of the first source that has one. Where a page named the subject, no later source can say that it does not
 * exist. A document that answers `null` says so only beside the platform's error page, or a page without a name. Then the head of that page is the last source. Where it says too little, the error is that the platform
 * withholds the data.
 */
export async function fromSources<T>(
  sources: readonly Source<T>[],
  fromHead: (head: PageHead) => T | null = () => null,
): Promise<SourcedAnswer<T>> {
  let withheld: SubjectWithoutData | undefined;
  let hasWitness = false;
  const attempts = sources.map((fetchAnswer) => async () => {
    try {
      return await fetchAnswer({ isNamed: withheld !== undefined });
    } catch (error) {
      if (error instanceof SubjectWithoutData) withheld ??= error;
      hasWitness ||= error instanceof ErrorRoute || error instanceof NamelessPage;
      if (error instanceof NullDocument && !hasWitness) throw withheld ?? provesNothing();
      const isMissing = error instanceof ExtractError && error.type === 'not_found';
      throw isMissing && error.code !== 'account_private' ? (withheld ?? error) : error;
    }
  });
  try {
    const answer = await firstAnswer(
      attempts,
      (error) => error instanceof SubjectWithoutData || error instanceof ErrorRoute,
    );
    return { answer, brief: false };
  } catch (error) {
    if (withheld === undefined || !leavesSubject(error)) throw error;
    const answer = withheld.head === null ? null : fromHead(withheld.head);
    if (answer === null) throw withheld;
    return { answer, brief: true };
  }
}

/** True for a failure that says nothing of the subject itself. A refusal, or a page that could not be read. */
function leavesSubject(error: unknown): boolean {
  if (error instanceof SubjectWithoutData) return true;
  return error instanceof ExtractError && error.type === 'platform' && error.code !== 'platform_restricted';
}
