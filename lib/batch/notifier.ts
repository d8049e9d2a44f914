/** Lets one loop wait until another signals a change. A `notify` without a waiter is lost. */
export class Notifier {
  #resolve: (() => void) | undefined;
  #next: Promise<void> | undefined;

  /** Resolves at the next `notify`. */
  next(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#next;
  }

  notify(): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#next = undefined;
    resolve?.();
  }
}
