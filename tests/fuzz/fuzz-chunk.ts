import fc from 'fast-check'
import type { FuzzRequest } from './fuzz-request.ts'
import type { OpenTarget } from './fuzz-target.ts'
import type { FuzzReply } from './replies/fuzz-reply.ts'
import type { ReplyCheck } from './replies/reply-check.ts'
import { type Reached, watchRoutes } from './replies/watched-routes.ts'
import type { Transport } from './transports/transport.ts'

/** A problem, with the first request that caused it. */
export interface Finding {
  readonly what: string
  readonly request: FuzzRequest
  readonly reply: FuzzReply | undefined
  readonly faults: readonly unknown[]
}

export interface ChunkReport {
  readonly sent: number
  /** Findings by their text: the same problem is reported once. */
  readonly findings: ReadonlyMap<string, Finding>
  readonly statuses: ReadonlyMap<number, number>
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>
  /** The longest wait for an answer. */
  readonly slowest: { readonly milliseconds: number; readonly request: FuzzRequest | undefined }
}

export interface ChunkOptions {
  readonly target: OpenTarget
  readonly requests: fc.Arbitrary<FuzzRequest>
  readonly check: ReplyCheck
  readonly transport: Transport
  readonly seed: number
  readonly count: number
  /** An answer that takes longer counts as absent. In milliseconds. @default 30,000 */
  readonly deadlineMs?: number | undefined
}

const RESTORE_EVERY = 100

/** The statuses with which a server itself can answer before a route is called. */
const SERVER_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 408, 411, 413, 414, 415, 417, 431])

/** Sends the requests of a seed, one after the other, and checks the answers. */
export async function fuzzChunk({
  target,
  requests,
  check,
  transport,
  seed,
  count,
  deadlineMs = 30_000,
}: ChunkOptions): Promise<ChunkReport> {
  const watched = watchRoutes(target.routes, target.sockets)
  const { routes, sockets } = watched
  const isEndless = () => target.endless.includes(watched.reached()?.id ?? '')
  const open = await transport({ routes, sockets, isEndless })
  const findings = new Map<string, Finding>()
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  let sent = 0
  let slowest: ChunkReport['slowest'] = { milliseconds: 0, request: undefined }
  try {
    for (const [index, request] of fc.sample(requests, { seed, numRuns: count }).entries()) {
      if (index % RESTORE_EVERY === RESTORE_EVERY - 1) await target.restore()
      target.advance()
      const start = performance.now()
      const { reply, failure } = await answered(open.send(request), deadlineMs)
      const milliseconds = performance.now() - start
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, request }
      const reached = watched.take()
      const reported = target.faults.splice(0)
      const faults = [...(target.isStoreUnavailable ? [] : reported), ...watched.takeUnwritable()]
      if (reply) statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      if (reply || failure) sent += 1
      if (reply && reached && reply.status < 300) succeeded.add(reached.id)
      const found = problems(check, request, reply, reached, {
        faults,
        isStoreAway: target.isStoreUnavailable === true,
      })
      for (const problem of [...failure, ...found]) {
        const what = `${nameOf(reached)} ${reply?.status ?? 'no answer'}: ${problem}`
        if (!findings.has(what)) findings.set(what, { what, request, reply, faults })
      }
    }
    for (const problem of await target.inspect()) {
      const [request] = fc.sample(requests, { seed, numRuns: 1 })
      if (request) findings.set(problem, { what: problem, request, reply: undefined, faults: [] })
    }
  } finally {
    await open.close()
  }
  return { sent, findings, statuses, succeeded, slowest }
}

async function answered(
  pending: Promise<FuzzReply | undefined>,
  deadlineMs: number,
): Promise<{ readonly reply: FuzzReply | undefined; readonly failure: readonly string[] }> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), deadlineMs)
  })
  try {
    return { reply: await Promise.race([pending, late]), failure: [] }
  } catch (error) {
    return { reply: undefined, failure: [`failed: ${error instanceof Error ? error.message : String(error)}`] }
  } finally {
    clearTimeout(timer)
  }
}

function problems(
  check: ReplyCheck,
  { operation, method, frames }: FuzzRequest,
  reply: FuzzReply | undefined,
  reached: Reached | undefined,
  { faults, isStoreAway }: { readonly faults: readonly unknown[]; readonly isStoreAway: boolean },
): readonly string[] {
  const fault = faults.map((one) => `fault: ${one instanceof Error ? one.message : String(one)}`)
  if (!reply) return fault
  if (reply.status >= 500 && !(isStoreAway && reply.status === 503)) return [...fault, 'is a fault']
  // The server itself may answer to frames after a handshake that opens nothing, as they cannot be parsed as a request.
  const isServers = frames !== undefined && reached?.id !== operation && SERVER_STATUSES.has(reply.status)
  if (reached && !isServers) return [...fault, ...check(reached, method, reply)]
  return SERVER_STATUSES.has(reply.status) ? fault : [...fault, 'came from no route']
}

const nameOf = (reached: Reached | undefined): string => (reached ? `${reached.method} ${reached.path}` : 'no route')
