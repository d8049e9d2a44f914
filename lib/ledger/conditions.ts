/** Conditions of a statement, all of which must hold, with the values that they name. */
export class Conditions {
  readonly values: (string | number)[] = [];
  readonly #texts: string[] = [];

  /** Adds a condition whose `?` stand for the values, in their order. */
  add(condition: string, ...values: readonly (string | number)[]): void {
    const remaining = [...values];
    this.#texts.push(condition.replaceAll('?', () => this.value(remaining.shift() ?? '')));
  }

  /** Adds a value, and returns what names it in the statement. */
  value(value: string | number): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** The text behind WHERE. */
  get where(): string {
    return this.#texts.join(' AND ');
  }
}
