// The native program, which is in an optional package for each platform.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isatty } from "node:tty";

/** The package that contains the native program for this machine. */
export const PACKAGE = `@callsheet/${process.platform}-${process.arch}`;

const PROGRAM = process.platform === "win32" ? "callsheet.exe" : "callsheet";

/** Where the native program should be, if its package is installed. npm chooses the one for the C library. */
export function nativeProgram(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  for (const name of [PACKAGE, `${PACKAGE}-musl`]) {
    try {
      return join(dirname(resolve(`${name}/package.json`)), "bin", PROGRAM);
    } catch {
      // This one is not installed.
    }
  }
  return undefined;
}

/** Runs the native program, and ends as it ends. Returns the reason if it cannot be started. */
export function runNative(program: string, words: string[]): Promise<string | undefined> {
  // Before the program starts: otherwise a signal could end this process and leave the program running.
  const forward = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl-C to both.
    if (signal !== "SIGINT" || ![0, 1, 2].some(isatty)) child.kill(signal);
  };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  const child = spawn(program, words, { stdio: "inherit" });
  return new Promise((resolve) => {
    const end = (problem?: string) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(problem);
    };
    child.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    child.on("exit", (code, signal) => {
      end();
      if (signal) process.kill(process.pid, signal);
      else process.exitCode = code ?? 2;
    });
  });
}
