import type { HttpTarget } from '../load/http-target.ts'
import { authorization } from '../reference-server.ts'
import { startContestants } from '../storage/contestants.ts'
import { fillSqlite } from '../storage/stores.ts'
import { httpSide } from './http-side.ts'
import type { OpenRivals } from './rivals.ts'

const CONNECTIONS = 32
const warmUp = { requests: 200, seconds: 3 }
const CAPACITY_REQUESTS = 100

/** Fills a SQLite file with rules, and starts the reference server and the server of two statements on it. */
export async function openRules(count: number): Promise<OpenRivals> {
  const store = await fillSqlite(count)
  const [ours, bare] = await startContestants(store, { profile: false, withOrders: false })
  if (ours === undefined || bare === undefined) throw new Error('A server of the rules is missing.')
  const side = (contestant: typeof ours) =>
    httpSide({
      name: contestant.server,
      process: contestant,
      target: targetOf(contestant.url, contestant.firstPage),
      connections: 2,
      warmUp,
      requests: CAPACITY_REQUESTS,
    })
  const load = `page of 1,000 of ${count.toLocaleString('en')} rules, SQLite`
  return {
    rivals: [{ load, server: side(ours), floor: side(bare) }],
    async close() {
      await ours.stop()
      await bare.stop()
      await store.remove()
    },
  }
}

function targetOf(url: string, path: string): HttpTarget {
  const { hostname, port } = new URL(url)
  const request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: ${authorization}\r\n\r\n`
  return {
    host: hostname,
    port: Number(port),
    requests: Array.from({ length: CONNECTIONS }, () => Buffer.from(request)),
    sign: '"num_records":',
  }
}
