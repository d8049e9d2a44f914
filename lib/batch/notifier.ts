/** Lets one loop wait for another's signal. A `notify` without a waiter is lost. */
export class Notifier {
  #resolve: (() => void) | undefined;
  #next: Promise<void> | undefined;

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
