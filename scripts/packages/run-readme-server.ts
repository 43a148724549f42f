import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Readme } from './readme.ts'

const PORT = /\b3000\b/g
const START_MS = 30_000

/** Follows a README after "Save it as `server.mts`": starts its first block, and sends its requests. @returns the problems */
export async function runReadmeServer(
  directory: string,
  { code: [program = ''], requests }: Readme,
): Promise<readonly string[]> {
  const port = String(await freePort())
  writeFileSync(join(directory, 'server.mts'), program.replaceAll(PORT, port))
  const environment = { ...process.env, ADMIN_PASSWORD: 'secret' }
  const server = spawn(process.execPath, ['server.mts'], { cwd: directory, env: environment })
  const printed = outputOf(server)
  try {
    await listening(Number(port), server)
    const [, key = ''] = /^KEY=(\S+)/m.exec(printed()) ?? []
    const script = requests.replaceAll(PORT, port).replaceAll('curl ', 'curl -sS --fail-with-body ')
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { env: { ...environment, KEY: key } })
    const answered = outputOf(shell)
    const [code] = await once(shell, 'close')
    return code === 0 ? [] : [`the requests of its README to server.mts fail: ${answered()}`]
  } catch (error) {
    return [`server.mts of its README does not start: ${error}\n${printed()}`]
  } finally {
    server.kill('SIGKILL')
  }
}

function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return () => output
}

/** Polls the port until the server listens, since a README's server need not print that. */
async function listening(port: number, server: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await setTimeout(50)) {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const [connected] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'close').then(() => [false]),
    ]).catch(() => [false])
    socket.destroy()
    if (connected) return
  }
  throw new Error(`the server does not listen within ${START_MS} ms`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
