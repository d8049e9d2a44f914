import { firstCount } from '../../read/convert.js';
import { all, attr, type Element, firstElement, line, type Tree } from '../../read/html-tree.js';
import { type CountedWords, wordedCount } from '../../read/worded-count.js';
import { comments as commentWords } from './counted-words.js';
import type { PronetworkPost } from './objects.js';
import { social } from './post-selectors.js';

type Counts = Pick<PronetworkPost, 'reaction_count' | 'reaction_breakdown' | 'comment_count'>;

/** Returns the number in an attribute, else in the text. */
function numberOf(element: Element, attribute: string, text: Element, words?: CountedWords): number | null {
  return firstCount(attr(element, attribute), wordedCount(line(text), null, words));
}

/**
 * Reads the counts of a post. The platform omits the element of a zero count, so in the bar that every post has, a
 * missing element means 0. Without the bar the count is unknown.
 */
export function countsOf(tree: Tree): Counts {
  const reactions = firstElement(tree, social.reactions);
  const comments = firstElement(tree, social.comments);
  const none = firstElement(tree, social.bar) === null ? null : 0;
  const kinds = new Set(
    (reactions === null ? [] : all(reactions, social.kind)).map((image) => attr(image, 'data-reaction-type')),
  );
  const names = [...kinds].filter((kind) => kind !== null && kind !== '') as string[];
  return {
    reaction_count:
      reactions === null
        ? none
        : numberOf(
            reactions,
            'data-num-reactions',
            firstElement(reactions, social.reactionText) ?? reactions,
          ),
    reaction_breakdown:
      names.length > 0
        ? names.map((kind) => ({ kind, count: null }))
        : reactions === null && none === 0
          ? []
          : null,
    comment_count: comments === null ? none : numberOf(comments, 'data-num-comments', comments, commentWords),
  };
}
