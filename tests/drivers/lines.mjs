// Calls on standard input, answers on standard output, a line each, one after the other.
import { createInterface } from "node:readline";

/** Answers every line until there are no more. */
export async function answerLines(answer) {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
  }
}
