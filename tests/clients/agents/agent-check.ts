import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CheckResult, Host } from '../client.ts'
import { runProgram } from '../run-program.ts'
import { FINAL_TEXT, type ScriptedCall } from '../upstreams/script.ts'
import type { Received, Upstream } from '../upstreams/upstream.ts'

const TIMEOUT_MS = 90_000

/** A task that a coding agent does over one upstream, in a home and a Git repository of its own. */
export interface AgentTask {
  readonly name: string
  readonly upstream: Upstream
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Files by their paths below the home. The repository is in `work`. */
  readonly files?: Readonly<Record<string, string>>
  readonly calls: readonly ScriptedCall[]
  /** What `work/made.txt` has at the end, `undefined` where the task does not make it. */
  readonly made?: string
  /** What the agent prints in the end. @default the last text of the upstream */
  readonly printed?: string
  /** Texts that the upstream gets back as results of tools. */
  readonly results: readonly string[]
  /** Checks of what the upstream received. Returns problems. */
  readonly received?: (requests: readonly Received[]) => readonly string[]
}

/** Runs the task, and compares files, printed text and the requests of the upstream with what was to be. */
export async function checkAgent(task: AgentTask): Promise<CheckResult> {
  const home = mkdtempSync(join(tmpdir(), 'trivium-agent-'))
  const { upstream } = task
  upstream.clear()
  upstream.script.start(task.calls)
  try {
    const work = join(home, 'work')
    mkdirSync(work)
    execFileSync('git', ['init', '--quiet', work], { env: { PATH: process.env.PATH, HOME: home } })
    const files = { 'work/given.txt': 'given by the user\n', ...task.files }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), text)
    }
    const { code, output } = await runProgram({
      command: task.command,
      args: task.args.map((arg) => arg.replaceAll('{work}', work)),
      directory: work,
      env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, TERM: 'dumb', ...task.env },
      timeoutMs: TIMEOUT_MS,
    })
    const problems = [
      ...(code === 0 ? [] : [`ends with ${code ?? 'a signal'}`]),
      ...(output.includes(task.printed ?? FINAL_TEXT) ? [] : ['does not print the last text of the upstream']),
      ...madeProblems(join(work, 'made.txt'), task.made),
      ...upstream.refusals.map((message) => `sends what the upstream refuses: ${message}`),
      ...upstream.script.mistakes,
      ...resultProblems(upstream.requests, task.results),
      ...(task.received?.(upstream.requests) ?? []),
    ]
    return { name: task.name, problems: problems.length === 0 ? [] : [...problems, `printed: ${output.slice(-2000)}`] }
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

function madeProblems(path: string, made: string | undefined): readonly string[] {
  if (made === undefined) return []
  if (!existsSync(path)) return ['does not make the file']
  const text = readFileSync(path, 'utf8')
  return text === made ? [] : [`makes a file with ${JSON.stringify(text)}`]
}

function resultProblems(requests: readonly Received[], results: readonly string[]): readonly string[] {
  const bodies = requests.map(({ bytes }) => bytes.toString())
  return results
    .filter((result) => !bodies.some((body) => body.includes(result)))
    .map((result) => `does not send the upstream the result ${JSON.stringify(result)}`)
}

/** Runs checks one after the other: upstreams have one task at a time. */
export async function inOrder(checks: readonly (() => Promise<CheckResult>)[]): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) results.push(await check())
  return results
}

/** The upstreams that agents are run over: the model of each, and how a check names it. */
export const overUpstreams = (host: Host) =>
  [
    { id: 'chat', upstream: host.upstreams.chat, model: 'chat/gpt-5', over: 'a chat-only upstream' },
    {
      ...{ id: 'anthropic', upstream: host.upstreams.anthropic, model: 'anthropic/claude-sonnet-4-5' },
      over: 'an Anthropic upstream',
    },
    { id: 'openai', upstream: host.upstreams.openai, model: 'openai/gpt-5', over: 'an upstream with responses' },
  ] as const
