import { fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'

export interface ProcessUsage {
  /** User and system time of all threads since the start of the process. */
  readonly cpuMicroseconds: number
  readonly residentBytes: number
  readonly heapBytes: number
}

/** The pauses of a process for its garbage collector. */
export interface Pauses {
  readonly count: number
  readonly totalMs: number
  readonly longestMs: number
}

export interface MeasuredProcess {
  /** The address on which the process listens. */
  readonly url: string
  readonly pid: number
  /** Returns what the process has used. `collected`: after a full garbage collection. @default 'as it is' */
  account(kind?: 'as it is' | 'collected'): Promise<ProcessUsage>
  /** Returns the pauses since its last call. The first call begins to observe them, and returns none. */
  pauses(): Promise<Pauses>
  stop(): Promise<void>
}

export interface MeasuredProcessOptions {
  readonly module: string
  readonly args?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  readonly execArgv?: readonly string[]
  /** The address of a server that does not print it. It is polled until it answers. */
  readonly url?: string
}

const account = v.object({ cpuMicroseconds: v.number(), residentBytes: v.number(), heapBytes: v.number() })
const paused = v.object({
  pauses: v.object({ count: v.number(), totalMs: v.number(), longestMs: v.number() }),
})

const START_TIMEOUT_MS = 60_000

/**
 * Users run JavaScript. A process that has stripped types itself needs some microseconds more for every request, and one
 * that loads the stripped code from the compile cache does not.
 */
const compileCache = join(tmpdir(), 'trivium-bench-compile-cache')

const warmed = new Set<string>()

/**
 * Starts a Node server in a process of its own that reports its CPU time and memory, and waits until it listens. A server
 * that was not started before is started twice: the first start fills the compile cache.
 */
export async function startMeasured(options: MeasuredProcessOptions): Promise<MeasuredProcess> {
  const name = [options.module, ...(options.args ?? [])].join(' ')
  if (!warmed.has(name)) {
    warmed.add(name)
    await (await start({ ...options, execArgv: [] })).stop()
  }
  return start(options)
}

async function start(options: MeasuredProcessOptions): Promise<MeasuredProcess> {
  const child = fork(options.module, options.args, {
    execArgv: [
      '--conditions=@trivium/source',
      ...['--import', pathToFileURL(join(import.meta.dirname, 'accounting.ts')).href],
      ...(options.execArgv ?? []),
    ],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...options.environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const printedUrl = new Promise<string>((resolve) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const url = /listening on (https?:\/\/\S+)/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  let timer: NodeJS.Timeout | undefined
  const url = await Promise.race([
    options.url === undefined ? printedUrl : untilAnswered(options.url),
    exited.then(() => Promise.reject(new Error(`${options.module} ended at its start`))),
    new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${options.module} does not listen`)), START_TIMEOUT_MS)
    }),
  ])
  clearTimeout(timer)
  const ask = async (question: string): Promise<unknown> => {
    const answer = once(child, 'message')
    child.send(question)
    return (await answer)[0]
  }
  return {
    url,
    pid: child.pid ?? 0,
    account: async (kind = 'as it is') => v.parse(account, await ask(kind)),
    pauses: async () => v.parse(paused, await ask('pauses')).pauses,
    async stop() {
      child.disconnect()
      await exited
    },
  }
}

async function untilAnswered(url: string): Promise<string> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response !== undefined) return url
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
