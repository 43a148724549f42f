import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { clients } from '../clients.ts'
import { startGateway } from '../start-gateway.ts'
import { startMessagesUpstream } from '../upstreams/messages/messages-upstream.ts'
import { startChatUpstream, startOpenAiUpstream } from '../upstreams/openai-upstream.ts'

/**
 * The process in a network namespace of its own: enables loopback, starts the gateway and the scripted upstreams there,
 * runs the checks of one client, and writes their results to a file.
 */
const [name, project = '', report = ''] = process.argv.slice(2)
const client = clients.find((one) => one.name === name)
if (client === undefined) throw new Error(`There is no client "${name}".`)
execFileSync('ip', ['link', 'set', 'lo', 'up'])
const [openai, chat, anthropic] = await Promise.all([
  startOpenAiUpstream(),
  startChatUpstream(),
  startMessagesUpstream(),
])
const upstreams = { openai, chat, anthropic }
const { url, key } = await startGateway(upstreams)
writeFileSync(report, JSON.stringify(await client.run({ url, key, project, upstreams })))
process.exit(0)
