import { alarmNats, type FieldCount, hasFallen, maxRemaining, shareOf } from './fall-test.js';

/** Some answers in a row: how many, and how many of them held each field. */
export interface AnswerBlock {
  /** UTC day of the first of them: `2026-11-22`. */
  readonly day: string;
  readonly answers: number;
  readonly filled: readonly number[];
}

/** What a field usually is like. */
export interface UsualShare extends FieldCount {
  readonly scatter: number;
}

/** Answers in a block, and blocks that are kept: the last thousand answers. */
export const blockAnswers = 10;
const maxBlocks = 100;
/** How many of the last blocks are looked at together: a steep fall shows in few, a slight one in many. */
const spans = [2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40, 50, 60, 80, 100];

/** The last answers of an endpoint, in blocks: what is compared with the weeks before. */
export class AnswerWindow {
  readonly #fields: number;
  #blocks: AnswerBlock[];
  #open: { readonly day: string; answers: number; readonly filled: number[] } | undefined;

  constructor(fields: number, blocks: readonly AnswerBlock[] = []) {
    this.#fields = fields;
    this.#blocks = blocks.filter(({ filled }) => filled.length === fields).slice(-maxBlocks);
  }

  /** Full blocks, oldest first. */
  get blocks(): readonly AnswerBlock[] {
    return this.#blocks;
  }

  /** Adds an answer; true when it fills a block, so that a look is due. */
  add(day: string, shares: readonly number[]): boolean {
    this.#open ??= { day, answers: 0, filled: new Array<number>(this.#fields).fill(0) };
    const open = this.#open;
    open.answers += 1;
    for (let field = 0; field < this.#fields; field += 1) {
      open.filled[field] = (open.filled[field] ?? 0) + (shares[field] ?? 0);
    }
    if (open.answers < blockAnswers) return false;
    this.push(open);
    this.#open = undefined;
    return true;
  }

  /** Adds a full block. */
  push(block: AnswerBlock): void {
    this.#blocks.push(block);
    if (this.#blocks.length > maxBlocks) this.#blocks.shift();
  }

  /** The count of a field over the last so many blocks. */
  last(field: number, blocks: number): FieldCount {
    let [answers, filled] = [0, 0];
    for (const block of this.#blocks.slice(-blocks)) {
      answers += block.answers;
      filled += block.filled[field] ?? 0;
    }
    return { answers, filled };
  }

  /** The last answers over which a field has fallen below what is usual; null where it has not. */
  fallOf(field: number, usual: UsualShare): FieldCount | null {
    const most = shareOf(usual) * maxRemaining;
    let [answers, filled, taken] = [0, 0, 0];
    for (const span of spans) {
      if (span > this.#blocks.length) return null;
      for (; taken < span; taken += 1) {
        const block = this.#blocks[this.#blocks.length - 1 - taken];
        answers += block?.answers ?? 0;
        filled += block?.filled[field] ?? 0;
      }
      // Nearly always: spares the logarithms.
      if (filled > most * answers) continue;
      if (hasFallen(usual, { answers, filled }, alarmNats, usual.scatter)) return { answers, filled };
    }
    return null;
  }
}
