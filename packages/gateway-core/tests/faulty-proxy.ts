import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy before a local server that fails as networks and proxies do. Dropped bytes are lost. */
export interface FaultyProxy extends AsyncDisposable {
  readonly port: number
  /** Stops forwarding on the existing connections but keeps them open. New connections work. */
  silence(): void
  /** Accepts connections but forwards nothing on any, until {@link FaultyProxy.repair}. */
  stop(): void
  /** Forwards what clients send but no answers, until {@link FaultyProxy.repair}. */
  dropAnswers(): void
  /** Resets the existing connections. New connections work. */
  reset(): void
  /** Forwards new connections to another port, and keeps the existing ones open without answers. */
  move(port: number): void
  /** Makes new connections work again. */
  repair(): void
  /** The number of open connections of clients. */
  readonly connections: number
  /** Resolves when a client has closed a connection. */
  closed(): Promise<void>
}

type PairState = 'well' | 'silent' | 'mute'

interface Pair {
  readonly near: Socket
  readonly far: Socket
  state: PairState
}

export async function openFaultyProxy(target: number): Promise<FaultyProxy> {
  const pairs = new Set<Pair>()
  let closed = Promise.withResolvers<void>()
  let state: PairState = 'well'
  let targetPort = target

  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    const pair: Pair = { near, far, state }
    pairs.add(pair)
    const pass = (from: Socket, to: Socket, whileIn: readonly PairState[]) => {
      from.on('data', (chunk) => whileIn.includes(pair.state) && to.write(chunk))
      from.on('end', () => pair.state === 'well' && to.end())
      from.on('error', () => from.destroy())
      from.on('close', () => {
        if (pair.state === 'well' || from === near) to.destroy()
        if (!near.destroyed) return
        pairs.delete(pair)
        closed.resolve()
        closed = Promise.withResolvers()
      })
    }
    pass(near, far, ['well', 'mute'])
    pass(far, near, ['well'])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')

  const setAll = (to: PairState) => {
    for (const pair of pairs) pair.state = to
  }
  const reset = () => {
    for (const { near, far } of pairs) {
      far.destroy()
      near.resetAndDestroy()
    }
  }
  return {
    port: address.port,
    silence: () => setAll('silent'),
    stop() {
      state = 'silent'
      setAll(state)
    },
    dropAnswers() {
      state = 'mute'
      setAll(state)
    },
    reset,
    move(port) {
      targetPort = port
      setAll('silent')
    },
    repair() {
      state = 'well'
    },
    get connections() {
      return pairs.size
    },
    closed: () => closed.promise,
    async [Symbol.asyncDispose]() {
      server.close()
      reset()
      await once(server, 'close')
    },
  }
}

/** A fault of the connections to a dependency. */
export interface Fault {
  readonly name: string
  /** Resolves when new connections work. @param noticed resolves when a request has failed because of the fault */
  trigger(proxy: FaultyProxy, noticed: () => Promise<unknown>, otherPort: number): Promise<void>
}

export const faults: readonly Fault[] = [
  { name: 'connections that end silently', trigger: async (proxy) => proxy.silence() },
  {
    name: 'a network that forwards nothing for a while',
    trigger: async (proxy, noticed) => {
      proxy.stop()
      await noticed()
      proxy.repair()
    },
  },
  { name: 'connections that are reset', trigger: async (proxy) => proxy.reset() },
  { name: 'a move to another port', trigger: async (proxy, _, otherPort) => proxy.move(otherPort) },
  {
    name: 'answers that are not forwarded',
    trigger: async (proxy, noticed) => {
      proxy.dropAnswers()
      await noticed()
      proxy.repair()
    },
  },
]

/** The longest recovery after a fault. The documented bound is 2 seconds. A loaded machine may need longer. */
export const RECOVERY_MS = 5000

const WORKERS = 6
const GOOD_ANSWERS = 10

/** The outcomes of requests that run continuously while faults happen. */
export interface Recovery {
  /** Resolves when a request fails after the call. */
  failure(): Promise<void>
  /**
   * Resolves when every worker has received {@link GOOD_ANSWERS} answers in a row since the call.
   *
   * @returns the milliseconds until the end of the last request that failed or took longer than 500 ms
   */
  recovered(): Promise<number>
  stop(): Promise<void>
}

/** Sends requests continuously from several workers. */
export function requestContinuously(send: (worker: number) => Promise<unknown>): Recovery {
  let isStopped = false
  let failed = Promise.withResolvers<void>()
  let changed = Promise.withResolvers<void>()
  let lastBad = 0
  const good: number[] = Array.from({ length: WORKERS }, () => 0)

  const work = async (worker: number) => {
    while (!isStopped) {
      const startedAt = performance.now()
      const isGood = await send(worker).then(
        () => performance.now() - startedAt < 500,
        () => {
          failed.resolve()
          failed = Promise.withResolvers()
          return false
        },
      )
      good[worker] = isGood ? (good[worker] ?? 0) + 1 : 0
      if (!isGood) lastBad = performance.now()
      changed.resolve()
      changed = Promise.withResolvers()
      // A refused connection fails immediately, so the other workers need a turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const workers = good.map((_, worker) => work(worker))
  return {
    failure: () => failed.promise,
    async recovered() {
      const since = performance.now()
      good.fill(0)
      while (good.some((count) => count < GOOD_ANSWERS)) await changed.promise
      return Math.max(0, lastBad - since)
    },
    async stop() {
      isStopped = true
      await Promise.all(workers)
    },
  }
}
