/** Lets one loop wait until another says that something changed. Rings that nobody waits for are not kept. */
export class Notifier {
  #ring: (() => void) | undefined;
  #rung: Promise<void> | undefined;

  /** Resolves at the next ring. */
  next(): Promise<void> {
    this.#rung ??= new Promise((resolve) => {
      this.#ring = resolve;
    });
    return this.#rung;
  }

  notify(): void {
    const ring = this.#ring;
    this.#ring = undefined;
    this.#rung = undefined;
    ring?.();
  }
}
