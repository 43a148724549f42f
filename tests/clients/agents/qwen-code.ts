import { join } from 'node:path'
import type { Client } from '../client.ts'
import type { ScriptedCall } from '../upstreams/script.ts'
import { checkAgent, inOrder, overUpstreams } from './agent-check.ts'

const shell = (command: string): ScriptedCall => ({
  tool: 'run_shell_command',
  input: { command, description: 'does a step', is_background: false },
})
const calls: readonly ScriptedCall[] = [
  shell('printf "made by qwen" > made.txt'),
  shell('cat given.txt'),
  { tool: 'glob', input: { pattern: '*.txt' } },
]

/** Qwen Code, which speaks chat completions. */
export const qwenCode: Client = {
  name: 'qwen-code',
  title: 'Qwen Code',
  packages: ['@qwen-code/qwen-code'],
  pointing: '`OPENAI_BASE_URL` with `/v1`, `OPENAI_API_KEY`, `OPENAI_MODEL`, and `--auth-type openai`',
  run: (host) =>
    inOrder(
      overUpstreams(host).map(
        ({ upstream, model, over }) =>
          () =>
            checkAgent({
              ...{ name: `several tool calls over ${over}`, upstream, calls, made: 'made by qwen' },
              results: ['given by the user', 'made.txt'],
              command: process.execPath,
              args: [
                join(host.project, 'node_modules/@qwen-code/qwen-code/cli.js'),
                ...['--auth-type', 'openai', '--yolo', '--prompt', 'Do the task.'],
              ],
              env: { OPENAI_API_KEY: host.key, OPENAI_BASE_URL: `${host.url}/v1`, OPENAI_MODEL: model },
            }),
      ),
    ),
}
