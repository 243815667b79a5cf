// A client that is not ours: the official SDK runs an agent of the project in its working directory. Called with the program.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(process.env.CALLSHEET_ACP, 'package.json'))
const { client, methods, ndJsonStream, PROTOCOL_VERSION } = await import(
  pathToFileURL(require.resolve('@agentclientprotocol/sdk')).href
)

const cwd = process.cwd()
const notes = join(cwd, 'notes.txt')
const text = (text) => [{ type: 'text', text }]
const arguments_ = ['acp', '--as', 'claude-code', '--model', 'replay:replay.jsonl', '--confine', 'off']

/** Runs the program for as long as an editor works with it. */
async function edit(work) {
  const program = spawn(process.argv[2], arguments_, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => program.on('exit', resolve))
  const stream = ndJsonStream(Writable.toWeb(program.stdin), Readable.toWeb(program.stdout))
  const editor = { updates: [], asked: [], answer: undefined }
  const app = client({ name: 'an editor' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      editor.asked.push(params)
      return editor.answer(params)
    })
    .onNotification(methods.client.session.update, ({ params }) => void editor.updates.push(params.update))
  await app.connectWith(stream, async (agent) => {
    const about = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
    })
    assert.equal(about.protocolVersion, PROTOCOL_VERSION)
    assert.ok(about.agentCapabilities.loadSession)
    await work(agent, editor)
  })
  program.stdin.end()
  assert.equal(await ended, 0)
}

const selected = (kind) => (params) => {
  const { optionId } = params.options.find((option) => option.kind === kind)
  return { outcome: { outcome: 'selected', optionId } }
}
const said = (editor) =>
  editor.updates
    .filter((update) => update.sessionUpdate === 'agent_message_chunk')
    .map((update) => update.content.text)
    .join('')

let sessionId
await edit(async (agent, editor) => {
  const opened = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })
  sessionId = opened.sessionId
  assert.ok(opened.modes.availableModes.some((mode) => mode.id === 'writer' && mode.description === 'Writers'))
  await assert.rejects(agent.request(methods.agent.session.setMode, { sessionId, modeId: 'nobody' }), { code: -32602 })
  await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'writer' })

  // Canceled during a question.
  editor.answer = async () => {
    await agent.notify(methods.agent.session.cancel, { sessionId })
    return { outcome: { outcome: 'cancelled' } }
  }
  const canceled = await agent.request(methods.agent.session.prompt, { sessionId, prompt: text('One.') })
  assert.equal(canceled.stopReason, 'cancelled')
  assert.ok(!existsSync(notes))

  editor.answer = selected('allow_once')
  const answered = await agent.request(methods.agent.session.prompt, { sessionId, prompt: text('Two.') })
  assert.equal(answered.stopReason, 'end_turn')
  assert.equal(readFileSync(notes, 'utf8'), 'two\n')
  const [diff] = editor.asked[1].toolCall.content
  assert.deepEqual([diff.type, diff.path, diff.newText], ['diff', notes, 'two\n'])
  const done = editor.updates.filter((update) => update.sessionUpdate === 'tool_call_update' && update.status)
  assert.deepEqual(done.map((update) => update.status), ['failed', 'completed'])
  assert.equal(said(editor), 'I write.Written.')
})

await edit(async (agent, editor) => {
  const { sessions } = await agent.request(methods.agent.session.list, { cwd })
  assert.deepEqual(sessions.map((session) => [session.sessionId, session.title]), [[sessionId, 'One.']])
  const loaded = await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
  assert.equal(loaded.modes.currentModeId, 'writer')
  const shown = editor.updates.filter((update) => update.sessionUpdate === 'user_message_chunk')
  assert.deepEqual(shown.map((update) => update.content.text), ['One.', 'Two.'])
  assert.ok(said(editor).endsWith('Written.'))
  await agent.request(methods.agent.session.close, { sessionId })
  await agent.request(methods.agent.session.delete, { sessionId })
  await assert.rejects(agent.request(methods.agent.session.resume, { sessionId, cwd, mcpServers: [] }), { code: -32002 })
})
console.log('all is well')
