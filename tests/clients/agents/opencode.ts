import { join } from 'node:path'
import type { CheckResult, Client, Host } from '../client.ts'
import type { ScriptedCall } from '../upstreams/script.ts'
import { type AgentTask, checkAgent, inOrder } from './agent-check.ts'

const bash = (command: string): ScriptedCall => ({ tool: 'bash', input: { command, description: 'does a step' } })
const calls: readonly ScriptedCall[] = [
  bash('printf "made by opencode" > made.txt'),
  { tool: 'read', input: { filePath: 'given.txt' } },
  bash('ls'),
]

/** opencode, which loads a package of the AI SDK for each provider. */
export const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  packages: ['opencode-linux-x64-baseline'],
  pointing: '`opencode.json`: a provider with `"npm": "@ai-sdk/openai-compatible"`, `baseURL` and `apiKey`',
  run(host) {
    const { chat, anthropic, openai } = host.upstreams
    const task = { calls, made: 'made by opencode', results: ['given by the user', 'made.txt'] }
    return inOrder([
      () =>
        checkOpencode(host, '@ai-sdk/openai-compatible', 'chat/gpt-5', {
          ...{ ...task, name: 'several tool calls over a chat-only upstream', upstream: chat },
        }),
      () =>
        checkOpencode(host, '@ai-sdk/openai-compatible', 'anthropic/claude-sonnet-4-5', {
          ...{ ...task, name: 'several tool calls and marks of the cache over an Anthropic upstream' },
          upstream: anthropic,
          received: (requests) =>
            requests.at(-1)?.bytes.includes('"cache_control"') === true
              ? []
              : ['does not send the marks of the cache on'],
        }),
      ...[
        { upstream: chat, model: 'chat/gpt-5', over: 'a chat-only upstream' },
        { upstream: anthropic, model: 'anthropic/claude-sonnet-4-5', over: 'an Anthropic upstream' },
      ].flatMap(({ upstream, model, over }) => [
        () =>
          checkOpencode(host, '@ai-sdk/anthropic', model, {
            ...{ ...task, name: `its provider of Anthropic, by messages, over ${over}`, upstream },
          }),
        () =>
          checkOpencode(host, '@ai-sdk/openai', model, {
            ...{ ...task, name: `its provider of OpenAI, by responses, over ${over}`, upstream },
          }),
      ]),
      () =>
        checkOpencode(host, '@ai-sdk/openai', 'openai/gpt-5', {
          ...{ ...task, name: 'its provider of OpenAI over an upstream with responses', upstream: openai },
        }),
    ])
  },
}

function checkOpencode(
  host: Host,
  npm: string,
  model: string,
  task: Omit<AgentTask, 'command' | 'args' | 'env'>,
): Promise<CheckResult> {
  const settings = {
    model: `gateway/${model}`,
    small_model: `gateway/${model}`,
    provider: {
      gateway: {
        ...{ npm, name: 'Gateway', options: { baseURL: `${host.url}/v1`, apiKey: host.key } },
        models: { [model]: { name: 'a model' } },
      },
    },
    ...{ autoupdate: false, share: 'disabled' },
  }
  return checkAgent({
    ...task,
    command: join(host.project, 'node_modules/opencode-linux-x64-baseline/bin/opencode'),
    args: ['run', 'Do the task.'],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    files: { ...task.files, 'work/opencode.json': JSON.stringify(settings) },
  })
}
