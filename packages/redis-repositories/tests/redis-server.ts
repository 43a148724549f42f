import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** A Redis of the test's own that can die and come back. It keeps nothing. */
export interface RedisServer {
  readonly url: string
  /** Settles when it answers. */
  start(): Promise<void>
  /** As a crash would. */
  kill(): Promise<void>
  /** Stops it in the middle of what it does; only `kill` helps. */
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
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

function findsProgram(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error('redis-server is not installed')
  console.warn('Skipped: redis-server is not installed')
  return false
}
