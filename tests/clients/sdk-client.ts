import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import type { CheckResult, Client, Host } from './client.ts'
import { runProgram } from './run-program.ts'

const TIMEOUT_MS = 90_000

const resultSchema = v.object({ name: v.string(), problem: v.nullable(v.string()) })

/** An SDK, whose checks are in `checks.js` of its project and run in a process and a home of their own. */
export function sdkClient(client: Omit<Client, 'run'>): Client {
  return { ...client, run: (host) => runChecks(client.name, host) }
}

async function runChecks(name: string, { url, key, project, upstreams }: Host): Promise<readonly CheckResult[]> {
  const home = mkdtempSync(join(tmpdir(), 'trivium-sdk-'))
  const projects = join(import.meta.dirname, 'projects')
  for (const file of ['run-checks.js', join(name, 'checks.js')]) {
    cpSync(join(projects, file), join(project, file.replace(`${name}/`, '')))
  }
  try {
    const { stdout, output, code } = await runProgram({
      command: process.execPath,
      args: ['checks.js'],
      directory: project,
      env: {
        ...{ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TERM: 'dumb' },
        ...{ GATEWAY_URL: url, GATEWAY_KEY: key },
        ...{ CHAT_UPSTREAM: upstreams.chat.url, OPENAI_UPSTREAM: upstreams.openai.url },
        ANTHROPIC_UPSTREAM: upstreams.anthropic.url,
      },
      timeoutMs: TIMEOUT_MS,
    })
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"name":'))
    const results = lines.map((line) => v.parse(resultSchema, JSON.parse(line)))
    return [
      ...results.map(({ name, problem }) => ({ name, problems: problem === null ? [] : [problem] })),
      ...(code === 0 ? [] : [{ name: 'all checks', problems: [`end early: ${output.slice(-2000)}`] }]),
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
