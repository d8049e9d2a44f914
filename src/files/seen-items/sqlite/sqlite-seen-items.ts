import type { StateFile } from '../../../../lib/database/sqlite/state-file.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import {
  type AbsentItem,
  type Given,
  type GivenItems,
  type SeenItemsBounds,
  type SeenItemsName,
  type SeenItemsOfEndpoint,
  type SeenItemsStore,
  type Subject,
  seenItemsBounds,
} from '../seen-items-store.js';
import { seenItemsStatements } from './seen-items-statements.js';

function unknownName(name: string): ExtractError {
  return new ExtractError(
    'invalid_parameter',
    `Nothing is remembered under ${JSON.stringify(name)}. \`extract new list\` shows the names.`,
  );
}

/** The `SeenItemsStore` of a data directory. */
export class SqliteSeenItems implements SeenItemsStore {
  readonly #file: StateFile;
  readonly #clock: Clock;
  readonly #bounds: SeenItemsBounds;
  readonly #sql;

  constructor(file: StateFile, clock: Clock, bounds: SeenItemsBounds = seenItemsBounds) {
    this.#file = file;
    this.#clock = clock;
    this.#bounds = bounds;
    this.#sql = seenItemsStatements(file.db);
  }

  findItems(name: string, { endpoint, question }: Subject, items: readonly string[]): Promise<GivenItems> {
    return this.#file.read(() => {
      const subject = this.#sql.subject.get(name, endpoint, question);
      if (subject === undefined) return { isKnown: false, items: new Set<string>() };
      return { isKnown: true, items: new Set(this.#sql.itemsOf.all(subject.id, JSON.stringify(items))) };
    });
  }

  listAbsent(
    name: string,
    { endpoint, question }: Subject,
    items: readonly string[],
  ): Promise<readonly AbsentItem[]> {
    return this.#file.read(() => {
      const subject = this.#sql.subject.get(name, endpoint, question);
      return subject === undefined ? [] : this.#sql.absent.all(subject.id, JSON.stringify(items));
    });
  }

  findObject(name: string, { endpoint, question }: Subject): Promise<string | null> {
    return this.#file.read(() => this.#sql.subject.get(name, endpoint, question)?.object ?? null);
  }

  hasName(name: string): Promise<boolean> {
    return this.#file.read(() => this.#sql.name.get(name) !== undefined);
  }

  isKnown(name: string, { endpoint, question }: Subject): Promise<boolean> {
    return this.#file.read(() => this.#sql.subject.get(name, endpoint, question) !== undefined);
  }

  async remember(name: string, given: readonly Given[]): Promise<void> {
    if (given.length === 0) return;
    await this.#file.write(() => {
      const now = this.#clock.now();
      this.#sql.beginName.run(name, now, now);
      const nameRow = this.#sql.name.get(name);
      if (nameRow === undefined) throw unknownName(name);
      let { met } = nameRow;
      let added = 0;
      for (const one of given) {
        met += 1;
        const object = 'object' in one ? one.object : null;
        const { endpoint, question } = one.subject;
        const subject = this.#sql.meet.get({ name: nameRow.id, endpoint, question, object, met })?.id ?? 0;
        if (!('items' in one)) continue;
        let news = 0;
        // The items at the top of a list are met next time: they are the youngest, and dropped last.
        for (const [place, item] of [...one.items.entries()].reverse()) {
          met += 1;
          news += this.#sql.insertItem.run(subject, item, met).changes;
          this.#sql.meetItem.run(met, one.ids?.[place] ?? null, subject, item);
        }
        for (const item of one.missing ?? []) this.#sql.missItem.run(subject, item);
        for (const item of one.removed ?? []) news -= this.#sql.removeItem.run(subject, item).changes;
        added += news + this.#trimList(subject, news);
      }
      this.#sql.endName.run(met, added, now, nameRow.id);
      this.#trimName(nameRow.id);
      for (const idle of this.#sql.idleNames.all(nameRow.id, this.#bounds.names - 1)) this.#forget(idle);
    });
  }

  listNames(): Promise<readonly SeenItemsName[]> {
    return this.#file.read(() =>
      this.#sql.names.all().map(({ created_at, last_at, ...row }) => ({
        ...row,
        created_at: new Date(created_at).toISOString(),
        last_run_at: new Date(last_at).toISOString(),
      })),
    );
  }

  listEndpoints(name: string): Promise<readonly SeenItemsOfEndpoint[]> {
    return this.#file.read(() => {
      const nameRow = this.#sql.name.get(name);
      if (nameRow === undefined) throw unknownName(name);
      return this.#sql.endpoints.all(nameRow.id);
    });
  }

  async forget(name: string): Promise<void> {
    await this.#file.write(() => {
      const nameRow = this.#sql.name.get(name);
      if (nameRow === undefined) throw unknownName(name);
      this.#forget(nameRow.id);
    });
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #forget(name: number): void {
    this.#sql.forgetItems.run(name);
    this.#sql.forgetSubjects.run(name);
    this.#sql.forgetName.run(name);
  }

  /**
   * Counts the items in, and drops those beyond the bound of one list. Gives the change that this makes (0 or less).
   */
  #trimList(subject: number, added: number): number {
    const items = (this.#sql.countItems.get(added, subject)?.items ?? 0) - this.#bounds.itemsOfList;
    if (items <= 0) return 0;
    const dropped = this.#sql.dropItems.run(subject, items).changes;
    this.#sql.countItems.get(-dropped, subject);
    return -dropped;
  }

  #trimName(name: number): void {
    const { subjectsOfName, itemsOfName } = this.#bounds;
    for (;;) {
      const sizes = this.#sql.sizes.get(name, name);
      if (sizes === undefined) return;
      const beyond = Math.max(sizes.subjects - subjectsOfName, sizes.items > itemsOfName ? 1 : 0);
      if (beyond <= 0) return;
      for (const { id, items } of this.#sql.oldest.all(name, beyond)) {
        this.#sql.dropItemsOf.run(id);
        this.#sql.dropSubject.run(id);
        this.#sql.countName.run(-items, name);
      }
    }
  }
}
