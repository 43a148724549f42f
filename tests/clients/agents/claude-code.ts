import { join } from 'node:path'
import type { CheckResult, Client, Host } from '../client.ts'
import type { ScriptedCall } from '../upstreams/script.ts'
import type { Received } from '../upstreams/upstream.ts'
import { type AgentTask, checkAgent, inOrder, overUpstreams } from './agent-check.ts'

/** A picture of one pixel, which Claude Code sends as the result of a tool. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const bash = (command: string): ScriptedCall => ({ tool: 'Bash', input: { command, description: 'does a step' } })
const calls: readonly ScriptedCall[] = [
  bash('printf "made by claude" > made.txt'),
  { tool: 'Read', input: { file_path: 'given.txt' } },
  bash('ls; exit 3'),
]

/** Claude Code, which speaks only messages. */
export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  packages: ['@anthropic-ai/claude-code'],
  pointing:
    '`ANTHROPIC_BASE_URL` with the address without `/v1`, `ANTHROPIC_AUTH_TOKEN` or `ANTHROPIC_API_KEY`, `ANTHROPIC_MODEL`',
  run: (host) =>
    inOrder([
      ...overUpstreams(host).flatMap(({ id, upstream, model, over }) => [
        () =>
          checkClaude(host, model, {
            ...{ name: `several tool calls over ${over}`, upstream, calls, made: 'made by claude' },
            results: ['given by the user', 'made.txt'],
            ...(id === 'anthropic' && { received: relayed }),
          }),
        () =>
          checkClaude(host, model, {
            ...{ name: `a picture as the result of a tool over ${over}`, upstream, results: [PIXEL.slice(0, 40)] },
            ...{ calls: [bash(`echo ${PIXEL} | base64 -d > picture.png`), read('picture.png')] },
          }),
      ]),
      () =>
        checkClaude(host, 'chat/claude-opus-4-8', {
          ...{ name: 'adaptive thinking and system messages amid a conversation over a chat-only upstream' },
          ...{ upstream: host.upstreams.chat, calls: [bash('ls')], results: ['given.txt'] },
        }),
      () =>
        checkClaude(
          host,
          'anthropic/claude-opus-4-8',
          {
            ...{ name: 'an API key in `x-api-key`, adaptive thinking and its signatures over an Anthropic upstream' },
            ...{ upstream: host.upstreams.anthropic, calls: [bash('ls')], results: ['given.txt', '"signature"'] },
          },
          { ANTHROPIC_API_KEY: host.key },
        ),
    ]),
}

const read = (file_path: string): ScriptedCall => ({ tool: 'Read', input: { file_path } })

/** What has to reach an Anthropic upstream as Claude Code sent it. */
function relayed(requests: readonly Received[]): readonly string[] {
  const [first] = requests.filter(({ path }) => path === '/v1/messages')
  const betas = String(first?.headers['anthropic-beta'] ?? '')
  return [
    ...(first?.bytes.includes('"cache_control"') === true ? [] : ['does not send the marks of the cache on']),
    ...(betas.includes('claude-code-') ? [] : ['does not send `anthropic-beta` on']),
  ]
}

function checkClaude(
  host: Host,
  model: string,
  task: Omit<AgentTask, 'command' | 'args' | 'env'>,
  credential: Readonly<Record<string, string>> = { ANTHROPIC_AUTH_TOKEN: host.key },
): Promise<CheckResult> {
  return checkAgent({
    ...task,
    command: join(host.project, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude'),
    args: ['--print', '--dangerously-skip-permissions', 'Do the task.'],
    env: {
      ANTHROPIC_BASE_URL: host.url,
      ANTHROPIC_MODEL: model,
      ...credential,
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' },
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
  })
}
