import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** An example in a process of its own, as a reader starts it, on a free port and with its own data directory. */
export interface ExampleProcess {
  readonly url: string
  /** Resolves with the match of the first printed line that matches. Rejects where the process ends without one. */
  line(sign: RegExp): Promise<RegExpExecArray>
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>
  [Symbol.asyncDispose](): Promise<void>
}

const examples = resolve(import.meta.dirname, '../examples')

/** @param main the file to start, in the directory of the example; by default that of its manifest */
export async function startExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
  main: string = mainOf(name),
): Promise<ExampleProcess> {
  const data = mkdtempSync(join(tmpdir(), `trivium-${name}-`))
  const child = spawn(process.execPath, ['--conditions=@trivium/source', join(examples, name, main)], {
    env: { PATH: process.env.PATH, PORT: '0', TRIVIUM_DATA_DIR: data, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const printed: string[] = []
  const lines = createInterface({ input: child.stdout }).on('line', (line) => printed.push(line))
  const line = async (sign: RegExp): Promise<RegExpExecArray> => {
    for (let next = 0; ; next += 1) {
      while (next >= printed.length) {
        const [ended] = await Promise.race([once(lines, 'line').then(() => [false]), exited.then(() => [true])])
        if (ended) throw new Error(`${name} ended and had not printed ${sign}:\n${printed.join('\n')}`)
      }
      const match = sign.exec(printed[next] ?? '')
      if (match) return match
    }
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    return child.exitCode
  }
  const dispose = async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(data, { recursive: true, force: true })
  }
  try {
    const [url] = await line(/http:\/\/[\w.:[\]]+/)
    return { url, line, stop, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

function mainOf(name: string): string {
  const { main }: { main: string } = JSON.parse(readFileSync(join(examples, name, 'package.json'), 'utf8'))
  return main
}
