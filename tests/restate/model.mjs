// A model that follows the plan in its task, so that it needs no state: a worker may ask it again at any time.
import { createServer } from "node:http";

/**
 * The plan of a task: `{"id", "steps", "tool", "arguments", "fails", "status"}`. Without a tool, each step is a command that records itself.
 * The first `fails` requests are answered with a status.
 */
const planned = ({ messages }) => JSON.parse(messages.find(({ role }) => role === "user").content);

function next(plan, { messages }) {
  const turn = messages.filter(({ role }) => role === "assistant").length;
  if (turn >= plan.steps) return { content: `Done: ${plan.id}` };
  const id = `${plan.id}-${turn}`;
  const call = plan.tool ? { name: plan.tool, arguments: plan.arguments } : { name: "Bash", arguments: { command: `echo ${id} >> effects` } };
  return { tool_calls: [{ index: 0, id, type: "function", function: { ...call, arguments: JSON.stringify(call.arguments) } }] };
}

/** Starts it, with a pause before each answer in milliseconds. */
export async function startModel(pause = 0) {
  const failures = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const plan = planned(body);
    const delta = next(plan, body);
    const failed = failures.get(plan.id) ?? 0;
    if (failed < (plan.fails ?? 0)) {
      failures.set(plan.id, failed + 1);
      return response.writeHead(plan.status).end("{}");
    }
    await new Promise((done) => setTimeout(done, pause));
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const choice = (delta, finish_reason) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }], usage: finish_reason && usage })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${choice(delta, null)}${choice({}, delta.content ? "stop" : "tool_calls")}data: [DONE]\n\n`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { port: server.address().port, close: () => server.close() };
}
