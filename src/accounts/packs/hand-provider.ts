import type { PaymentProvider } from './payment-provider.js';
import type { NextStep, Purchase } from './payments.js';

/** Payments that the operator confirms. */
export class HandProvider implements PaymentProvider {
  readonly method = 'hand';
  readonly #text: string | undefined;

  /** `text`: how to pay, in the operator's words. */
  constructor(text: string | undefined) {
    this.#text = text;
  }

  async begin({ id }: Purchase): Promise<NextStep> {
    const defaultText = `Ask whoever runs this server how to pay, and name the order ${id}.`;
    return { kind: 'instructions', text: this.#text ?? defaultText };
  }
}
