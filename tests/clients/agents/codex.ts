import { join } from 'node:path'
import type { CheckResult, Client, Host } from '../client.ts'
import { FOUND } from '../start-gateway.ts'
import type { ScriptedCall } from '../upstreams/script.ts'
import { type AgentTask, checkAgent, inOrder, overUpstreams } from './agent-check.ts'

const exec = (cmd: string): ScriptedCall => ({ tool: 'exec_command', input: { cmd } })
const calls = [exec('printf "made by codex" > made.txt'), exec('cat given.txt'), exec('ls')]

const PATCH = '*** Begin Patch\n*** Add File: made.txt\n+made by a patch\n*** End Patch\n'

const schema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
}

type Task = Omit<AgentTask, 'command' | 'args' | 'env'>

/** Codex CLI, which speaks only responses. */
export const codex: Client = {
  name: 'codex',
  title: 'Codex CLI',
  packages: ['@openai/codex'],
  pointing: '`~/.codex/config.toml`: a provider with `wire_api = "responses"`, `base_url` and `env_key`',
  run: (host) =>
    inOrder([
      ...overUpstreams(host).flatMap(({ id, upstream, model, over }) => [
        () =>
          checkCodex(host, model, {
            ...{ name: `several tool calls over ${over}`, upstream, calls, made: 'made by codex' },
            results: ['given by the user', 'made.txt'],
          }),
        () =>
          checkCodex(host, `${id}/gpt-5.5`, {
            ...{ name: `a custom tool with a grammar over ${over}`, upstream, made: 'made by a patch\n' },
            ...{ calls: [{ tool: 'apply_patch', input: PATCH }, exec('ls')], results: ['A made.txt', 'given.txt'] },
          }),
        () =>
          checkCodex(host, model, {
            ...{ name: `a sub-agent, by a tool of a namespace, over ${over}`, upstream, results: ['agent_id'] },
            calls: [{ tool: 'spawn_agent', input: { message: 'say hi' } }],
          }),
        () =>
          checkCodex(host, model, {
            ...{ name: `an answer in a JSON schema over ${over}`, upstream, calls: [], results: ['answer'] },
            ...{ files: { 'work/schema.json': JSON.stringify(schema) }, printed: '{"answer":"Paris"}' },
          }),
      ]),
      () =>
        checkCodex(host, 'chat/gpt-5', {
          ...{ name: 'web search by the gateway over a chat-only upstream', upstream: host.upstreams.chat },
          ...{ calls: [{ tool: 'web_search', input: { query: 'switches' } }], results: [FOUND.body] },
        }),
    ]),
}

function checkCodex(host: Host, model: string, task: Task): Promise<CheckResult> {
  const config = `
model = "${model}"
model_provider = "gateway"
[model_providers.gateway]
name = "gateway"
base_url = "${host.url}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
  const more = task.printed === undefined ? [] : ['--output-schema', '{work}/schema.json']
  return checkAgent({
    ...task,
    command: join(host.project, 'node_modules/.bin/codex'),
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ...more, 'Do the task.'],
    env: { GATEWAY_KEY: host.key },
    files: { ...task.files, '.codex/config.toml': config },
  })
}
