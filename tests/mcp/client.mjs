// A client that is not ours: the official SDK talks to a server of ours. Called with its address, the folder of an agent and the token.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(join(process.env.CALLSHEET_MCP, 'package.json'))
const { Client } = require('@modelcontextprotocol/sdk/client/index.js')
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js')
const { ToolListChangedNotificationSchema } = require('@modelcontextprotocol/sdk/types.js')

const [url, agents, token] = process.argv.slice(2)
const requestInit = { headers: { Authorization: `Bearer ${token}` } }
const transport = () => new StreamableHTTPClientTransport(new URL(url), { requestInit })
const client = new Client({ name: 'a client', version: '1' })
let changed
const change = new Promise((resolve) => (changed = resolve))
client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed())
await client.connect(transport())

const names = async () => (await client.listTools()).tools.map((tool) => tool.name)
const call = (name, args, ...rest) => client.callTool({ name, arguments: args }, undefined, ...rest)
const text = (result) => result.content[0].text

assert.equal(client.getServerVersion().name, 'callsheet')
for (const name of ['check_agents', 'list_agents', 'reviewer', 'sleeper', 'why_agent']) {
  assert.ok((await names()).includes(name), name)
}
const reviewer = (await client.listTools()).tools.find((tool) => tool.name === 'reviewer')
assert.equal(reviewer.description, 'Reviews code')
assert.deepEqual(reviewer.inputSchema.required, ['task'])

const progress = []
const answer = await call('reviewer', { task: 'Review it' }, { onprogress: (now) => progress.push(now) })
assert.equal(text(answer), 'done: Review it')
assert.match(answer.content[1].text, /^1 turn, /)
assert.ok(!answer.isError)
assert.ok(progress.length >= 2, 'it says what it does')
assert.ok(progress.every((now, at) => now.progress === at + 1), 'in order')
assert.match(progress.map((now) => now.message).join('\n'), /reviewer: asks /)

const listed = JSON.parse(text(await call('list_agents', {})))
assert.equal(listed.command, 'list')
assert.equal(JSON.parse(text(await call('check_agents', {}))).command, 'check')
const why = JSON.parse(text(await call('why_agent', { name: 'reviewer' })))
assert.equal(why.dialects[0].candidates[0].standing, 'active')

const blank = await call('reviewer', { task: ' ' })
assert.ok(blank.isError && /`task`/.test(text(blank)))
await assert.rejects(call('nobody', {}), /unknown tool `nobody`/)

// One that would never end, and another meanwhile.
const abort = new AbortController()
const asleep = call('sleeper', { task: 'Sleep' }, { signal: abort.signal, onprogress: () => abort.abort('enough') })
await assert.rejects(asleep, /enough/)
assert.equal(text(await call('reviewer', { task: 'Go on' })), 'done: Go on')

writeFileSync(join(agents, 'late.md'), '---\nname: late\ndescription: Comes late\n---\nBe late.\n')
await change
assert.ok((await names()).includes('late'))
await client.close()
console.log('all is well')
