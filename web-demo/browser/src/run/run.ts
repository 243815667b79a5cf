// A session on the page: collects events and runs steps.
import type { Dialect, Event, ModelAnswer, ModelRequest, Outcome, Outstanding, Reply, Task, Usage } from "../../../shared/contract";
import type { Progress } from "../../../shared/session";
import type { Client } from "../client";
import type { Project } from "../project/project";
import { callTool, offer } from "./tools";

export type Model = (request: ModelRequest) => Promise<ModelAnswer>;

export class Run {
  readonly events: Event[] = [];
  outstanding: Outstanding[] = [];
  outcome: Outcome | undefined;
  usage: Usage | undefined;

  private constructor(
    private readonly client: Client,
    private readonly project: Project,
    private readonly dialect: Dialect,
  ) {}

  static async begin(client: Client, project: Project, dialect: Dialect, task: Task): Promise<Run> {
    const run = new Run(client, project, dialect);
    run.#take(await client.ask("begin", project.dialect, task, offer(dialect), now()));
    return run;
  }

  /** Runs an outstanding step. If the model fails, the step stays outstanding and can be run again. */
  async step(one: Outstanding, model: Model): Promise<void> {
    const reply = await this.#reply(one, model);
    // The session may have been canceled in the meantime.
    if (!this.outcome) this.#take(await this.client.ask("answer", one.id, reply, now()));
  }

  async cancel(): Promise<void> {
    this.#take(await this.client.ask("cancel", now()));
  }

  async #reply({ step }: Outstanding, model: Model): Promise<Reply> {
    if (step.tag === "call-tool") return { tag: "tool", val: callTool(this.project, this.dialect, step.val) };
    try {
      return { tag: "model", val: await model(step.val) };
    } catch (failure) {
      throw new Error(`the model request failed: ${failure instanceof Error ? failure.message : String(failure)}`);
    }
  }

  #take({ outstanding, events, outcome, usage }: Progress): void {
    this.events.push(...events);
    this.outstanding = outstanding;
    this.outcome = outcome;
    this.usage = usage;
  }
}

function now(): bigint {
  return BigInt(Math.round(performance.now() * 1e6));
}
