#!/usr/bin/env node
// The command `callsheet`: the native program if its package is installed, otherwise the component.
import { nativeProgram, runNative } from "./native.js";

const words = process.argv.slice(2);
const program = nativeProgram();
const problem = program === undefined ? "" : await runNative(program, words);
if (problem !== undefined) {
  if (program !== undefined) console.error(`note: ${program} cannot be run (${problem}); using the WebAssembly component`);
  const { runPortable } = await import("./portable.js");
  try {
    process.exitCode = await runPortable(words);
  } catch (error) {
    console.error(`error: the component failed: ${(error as Error).message}. This is a bug in Callsheet; please report it`);
    process.exitCode = 2;
  }
}
