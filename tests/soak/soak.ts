import { performance } from 'node:perf_hooks'
import type { Gauges, Sample } from './gauges.ts'
import { startMeasuredServer } from './server/measured-server.ts'
import { soakClient } from './traffic/client.ts'
import { emulationTraffic } from './traffic/emulation-traffic.ts'
import { gatewayTraffic, openStreams, startCheckpoints } from './traffic/gateway-traffic.ts'
import { storageTraffic } from './traffic/storage-traffic.ts'
import type { Traffic } from './traffic/traffic.ts'
import { startSoakUpstream } from './upstreams/soak-upstream.ts'

export const traffics: readonly Traffic[] = [...gatewayTraffic, ...emulationTraffic, ...storageTraffic]

/** More requests than all users together have in progress at one upstream. */
const MAX_CONCURRENT = 24

/** A server under mixed traffic, with an upstream of its own. Both are on loopback. */
export interface Soak {
  /** The number of completed turns of each traffic. */
  readonly turns: ReadonlyMap<string, number>
  /** The number of failed turns, by their error. */
  readonly failures: ReadonlyMap<string, number>
  /**
   * Opens more streams at the same time than any later traffic: pools keep as much as the most concurrent requests needed.
   * Threads that begin with their first work begin here.
   */
  warmUp(): Promise<void>
  /** Runs turns of every user while `shouldContinue` returns `true`, at least one each. */
  run(shouldContinue: (turnsOfUser: number, traffic: Traffic) => boolean): Promise<void>
  /** Returns the gauges once all connections are closed and no request is in progress. */
  rest(): Promise<Sample>
  /** Stops the server. Resolves with its exit code. */
  stop(): Promise<number | null>
  [Symbol.asyncDispose](): Promise<void>
}

export async function openSoak(): Promise<Soak> {
  const upstream = await startSoakUpstream()
  const server = await startMeasuredServer(upstream.origin)
  const client = soakClient(server.url)
  const turns = new Map(traffics.map(({ name }) => [name, 0]))
  const failures = new Map<string, number>()
  let start: number | undefined
  let turn = 0

  async function use(
    traffic: Traffic,
    shouldContinue: (turnsOfUser: number, traffic: Traffic) => boolean,
  ): Promise<void> {
    let own = 0
    do {
      turn += 1
      try {
        await traffic.turn(client, turn)
        turns.set(traffic.name, (turns.get(traffic.name) ?? 0) + 1)
      } catch (error) {
        const what = `${traffic.name}: ${error instanceof Error ? error.message : error}`.replaceAll(
          /[0-9a-f-]{36}/g,
          '…',
        )
        failures.set(what, (failures.get(what) ?? 0) + 1)
      }
      own += 1
    } while (shouldContinue(own, traffic))
  }

  return {
    turns,
    failures,
    async warmUp() {
      await startCheckpoints(client)
      await openStreams(client, MAX_CONCURRENT)
    },
    async run(shouldContinue) {
      await Promise.all(
        traffics.flatMap((traffic) => Array.from({ length: traffic.users }, () => use(traffic, shouldContinue))),
      )
    },
    async rest() {
      await client.closeIdle()
      upstream.closeConnections()
      const gauges = await untilStable(() => server.gauges())
      start ??= performance.now()
      return { ...gauges, minutes: (performance.now() - start) / 60_000 }
    },
    stop: () => server.stop(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await upstream.close()
    },
  }
}

/** Reads the gauges until two reads return the same counts: a connection is closed at its other end a little later. */
async function untilStable(read: () => Promise<Gauges>): Promise<Gauges> {
  let before = await read()
  for (let reads = 0; reads < 20; reads += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const gauges = await read()
    if (counts(gauges) === counts(before)) return gauges
    before = gauges
  }
  return before
}

const counts = ({ descriptors, handles, timers, listeners }: Gauges): string =>
  [descriptors, handles, timers, listeners].join()
