import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** A Redis for one test, which can be killed and started again. It stores no data on disk. */
export interface RedisServer {
  readonly url: string
  /** Resolves when the server answers. */
  start(): Promise<void>
  /** Ends the server as a crash would. */
  kill(): Promise<void>
  /** Stops the process, so that it no longer answers until it is killed and started again. */
  freeze(): void
}

export const canRunRedis = findsProgram()

export async function redisServer(): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined

  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const started = spawn('redis-server', [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--dir',
        '/tmp',
      ])
      child = started
      for await (const line of createInterface(started.stdout)) {
        if (line.includes('Ready to accept connections')) break
      }
      started.stdout.resume()
    },
    kill: async () => {
      if (child === undefined) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      child = undefined
    },
    freeze: () => {
      child?.kill('SIGSTOP')
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

function findsProgram(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error('redis-server is not installed')
  console.warn('Skipped: redis-server is not installed')
  return false
}
