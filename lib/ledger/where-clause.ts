/** A WHERE clause: conditions joined by AND, with their values. */
export class WhereClause {
  readonly values: (string | number)[] = [];
  readonly #texts: string[] = [];

  /** Adds a condition. Each `?` in it is replaced by the next value. */
  add(predicate: string, ...values: readonly (string | number)[]): void {
    const remaining = [...values];
    this.#texts.push(predicate.replaceAll('?', () => this.value(remaining.shift() ?? '')));
  }

  /** Restricts the rows to these platforms, by the prefix of the endpoint; null for all. */
  addPlatforms(platforms: readonly string[] | null | undefined): void {
    if (platforms == null) return;
    // “0” is the character after “/”.
    const ranges = platforms.map(() => 'endpoint >= ? AND endpoint < ?').join(' OR ');
    const values = platforms.flatMap((platform) => [`${platform}/`, `${platform}0`]);
    this.add(ranges === '' ? '1 = 0' : `(${ranges})`, ...values);
  }

  /** Adds a value, and returns its placeholder. */
  value(value: string | number): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  get where(): string {
    return this.#texts.join(' AND ');
  }
}
