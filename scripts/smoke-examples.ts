import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Starts every example, requests the path that its package.json names under `smoke`, stops it with SIGTERM and expects exit
 * code 0. Then starts it again and stops it as soon as it prints its address.
 */
interface Manifest {
  readonly main: string
  readonly smoke: string
}

const START_TIMEOUT_MS = 30_000

async function smoke(name: string): Promise<void> {
  const { main, smoke: path }: Manifest = JSON.parse(readFileSync(`examples/${name}/package.json`, 'utf8'))
  await withExample(name, main, async (url) => {
    const response = await fetch(`${url}${path}`)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  })
  await withExample(name, main, async () => undefined)
}

async function withExample(name: string, main: string, use: (url: string) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), `trivium-${name}-`))
  const child = spawn(process.execPath, ['--conditions=@trivium/source', join('examples', name, main)], {
    env: { ...process.env, PORT: '0', TRIVIUM_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS)
  try {
    await use(await firstUrl(child.stdout))
    child.kill('SIGTERM')
    const [code, signal] = await exited
    if (code !== 0) throw new Error(`ended with ${code ?? signal}`)
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
}

async function firstUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /https?:\/\/[\w.:[\]]+/.exec(line)?.[0]
    if (url) {
      output.resume()
      return url
    }
  }
  throw new Error('ended before it printed its address')
}

let failed = 0
const names = readdirSync('examples')
for (const name of names) {
  try {
    await smoke(name)
    console.log(`${name}: runs`)
  } catch (error) {
    failed += 1
    console.error(`${name}: ${error instanceof Error ? error.message : error}`)
  }
}
process.exitCode = failed > 0 ? 1 : 0
