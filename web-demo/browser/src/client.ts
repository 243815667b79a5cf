// The page's connection to the worker.
import type { Answered, Asked, Questions } from "./questions";

type Answer<Question extends keyof Questions> = ReturnType<Questions[Question]>;

interface Waiting {
  resolve(answer: unknown): void;
  reject(failure: Error): void;
}

/** Sends requests to the component, which answers them in order. */
export class Client {
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("failure" in data) waiting?.reject(new Error(data.failure));
      else waiting?.resolve(data.answer);
    };
    this.#worker.onerror = () => this.#fail("the component failed to start");
  }

  ask<Question extends keyof Questions>(
    question: Question,
    ...given: Parameters<Questions[Question]>
  ): Promise<Answer<Question>> {
    this.#last += 1;
    const asked: Asked = { id: this.#last, question, given };
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked.id, { resolve: resolve as (answer: unknown) => void, reject });
      this.#worker.postMessage(asked);
    });
  }

  #fail(reason: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(reason));
    this.#waiting.clear();
  }
}
