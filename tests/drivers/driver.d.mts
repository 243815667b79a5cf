/** Answers calls, given what makes an instance over the imports. */
export class Driver {
  constructor(instantiate: (imports: never) => unknown, disk?: (places: never) => unknown);
  answer(call: unknown): Promise<unknown>;
}
