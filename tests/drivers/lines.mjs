// Calls on standard input, answers on standard output, one per line, in order.
import { createInterface } from "node:readline";

/** Answers every line of the input. */
export async function answerLines(answer) {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
  }
}
