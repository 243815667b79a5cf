/** Answers calls, given what makes an instance over the imports. */
export class Driver {
  constructor(instantiate: (imports: never) => unknown);
  answer(call: unknown): Promise<unknown>;
}
