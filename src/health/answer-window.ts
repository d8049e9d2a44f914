import { alarmNats, type FieldCount, hasFallen, maxRemaining, shareOf } from './fall-test.js';

/** Some answers in a row: how many, and how many of them held each field. */
export interface AnswerBlock {
  /** When the first of them came, in milliseconds since 1970. */
  readonly at: number;
  readonly answers: number;
  readonly filled: readonly number[];
}

/** What a field usually is like. */
export interface BaselineShare extends FieldCount {
  readonly scatter: number;
}

/** Answers in a block, and blocks that are kept: the last thousand answers. */
export const blockAnswers = 10;
export const maxBlocks = 100;
/** How many of the last blocks are looked at together. A steep fall shows in few, a slight one in many. */
const spans = [2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40, 50, 60, 80, 100];

/** The last answers of an endpoint, in blocks: what is compared with the weeks before. */
export class AnswerWindow {
  readonly #fields: number;
  #blocks: AnswerBlock[] = [];
  /** Sums over all blocks up to each, and before the first: what lies between two is a difference. */
  #sums: { readonly answers: number; readonly filled: readonly number[] }[] = [];
  #open: { readonly at: number; answers: number; readonly filled: number[] } | undefined;

  constructor(fields: number, blocks: readonly AnswerBlock[] = []) {
    this.#fields = fields;
    this.replace(blocks);
  }

  /** Puts other full blocks in place of its own. */
  replace(blocks: readonly AnswerBlock[]): void {
    this.#blocks = [];
    this.#sums = [{ answers: 0, filled: new Array<number>(this.#fields).fill(0) }];
    for (const block of blocks) if (block.filled.length === this.#fields) this.push(block);
  }

  /** Full blocks, oldest first. */
  get blocks(): readonly AnswerBlock[] {
    return this.#blocks.slice(-maxBlocks);
  }

  /** Adds an answer. Gives the block where it fills one, so that a look is due. */
  add(at: number, shares: readonly number[]): AnswerBlock | null {
    this.#open ??= { at, answers: 0, filled: new Array<number>(this.#fields).fill(0) };
    const open = this.#open;
    open.answers += 1;
    for (let field = 0; field < this.#fields; field += 1) {
      open.filled[field] = (open.filled[field] ?? 0) + (shares[field] ?? 0);
    }
    if (open.answers < blockAnswers) return null;
    this.push(open);
    this.#open = undefined;
    return open;
  }

  /** Adds a full block. */
  push(block: AnswerBlock): void {
    const before = this.#sums.at(-1);
    this.#blocks.push(block);
    this.#sums.push({
      answers: (before?.answers ?? 0) + block.answers,
      filled: block.filled.map((count, field) => (before?.filled[field] ?? 0) + count),
    });
    // Many at once: taking away the first of a list moves all others.
    if (this.#blocks.length < 2 * maxBlocks) return;
    this.#blocks.splice(0, maxBlocks);
    this.#sums.splice(0, maxBlocks);
  }

  /** The count of a field over the last so many blocks. */
  last(field: number, blocks: number): FieldCount {
    const until = this.#sums.length - 1;
    const [first, last] = [this.#sums[Math.max(0, until - blocks)], this.#sums[until]];
    return {
      answers: (last?.answers ?? 0) - (first?.answers ?? 0),
      filled: Math.max(0, (last?.filled[field] ?? 0) - (first?.filled[field] ?? 0)),
    };
  }

  /** How many of the last blocks came after a time. */
  blocksSince(time: number): number {
    let count = 0;
    while (count < this.#blocks.length && (this.#blocks.at(-1 - count)?.at ?? 0) > time) count += 1;
    return count;
  }

  /** The last answers after a time over which a field has fallen below what is usual. Null where it has not. */
  fallOf(field: number, usual: BaselineShare, after = Number.NEGATIVE_INFINITY): FieldCount | null {
    const most = shareOf(usual) * maxRemaining;
    const blocks = after > 0 ? this.blocksSince(after) : this.#blocks.length;
    for (const span of spans) {
      if (span > blocks) return null;
      const now = this.last(field, span);
      // Nearly always: spares the logarithms.
      if (now.filled > most * now.answers) continue;
      if (hasFallen(usual, now, alarmNats, usual.scatter)) return now;
    }
    return null;
  }
}
