/** Conditions of a statement, all of which must hold, with the values that they name. */
export class Conditions {
  readonly values: (string | number)[] = [];
  readonly #texts: string[] = [];

  /** Adds a condition whose `?` stand for the values, in their order. */
  add(condition: string, ...values: readonly (string | number)[]): void {
    const remaining = [...values];
    this.#texts.push(condition.replaceAll('?', () => this.value(remaining.shift() ?? '')));
  }

  /** Keeps the rows whose endpoint is one of the platforms, with which its name begins; all without platforms. */
  addPlatforms(platforms: readonly string[] | null | undefined): void {
    if (platforms == null) return;
    // “0” is the character behind “/”.
    const ranges = platforms.map(() => 'endpoint >= ? AND endpoint < ?').join(' OR ');
    const values = platforms.flatMap((platform) => [`${platform}/`, `${platform}0`]);
    this.add(ranges === '' ? '1 = 0' : `(${ranges})`, ...values);
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
