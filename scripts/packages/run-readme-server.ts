import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Readme } from './readme.ts'

const PORT = /\b3000\b/g
const START_MS = 30_000

/** Does what a README says after "Save it as `server.mts`": starts its first block, and asks it what it says to ask. */
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
    return code === 0 ? [] : [`what its README asks of server.mts fails: ${answered()}`]
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

/** A server says nothing when it listens, so its port is asked until somebody is there. */
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
  throw new Error(`nobody listens within ${START_MS} ms`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
