import { toOpenApi } from '@trivium/http-contract/openapi'
import { type ChunkOptions, type ChunkReport, type Finding, fuzzChunk } from './fuzz-chunk.ts'
import type { FuzzTarget, OpenTarget } from './fuzz-target.ts'
import { replyCheck } from './replies/reply-check.ts'
import { fuzzRequests } from './requests/fuzz-requests.ts'
import { inProcess } from './transports/in-process.ts'
import { overExpress, overFastify } from './transports/over-sockets.ts'
import type { Transport } from './transports/transport.ts'

/** The number of requests after which a service is opened again. */
const CHUNK = 2000

export interface ServiceOptions extends Pick<ChunkOptions, 'deadlineMs'> {
  readonly seed: number
  readonly requests: number
}

export interface ServiceReport {
  readonly sent: number
  /** Each with the seed of the part that found it. */
  readonly findings: readonly (Finding & { readonly seed: number })[]
  readonly statuses: ReadonlyMap<number, number>
  /** Operations that never succeeded. */
  readonly neverSucceeded: readonly string[]
  readonly slowest: ChunkReport['slowest']
}

/** Makes requests and checks from the OpenAPI document, which is the same for each opening of a target. */
function fromDocument(open: OpenTarget) {
  const { routes, sockets, socketRefusals } = open
  const parts = [{ operations: routes }, { sockets, responses: socketRefusals }]
  const document = toOpenApi(parts, { info: { title: 'Fuzzed', version: '1' } })
  return { requests: fuzzRequests(document, open), check: replyCheck(document) }
}

/** Chooses the transport by the seed: one part in five uses real sockets. */
function transportOf(seed: number): Transport {
  if (seed % 10 === 3) return overExpress
  return seed % 10 === 7 ? overFastify : inProcess
}

/** Fuzzes a service in parts of {@link CHUNK} requests. Each part has a seed of its own, counted up from the first. */
export async function fuzzService(
  target: FuzzTarget,
  { seed, requests, deadlineMs }: ServiceOptions,
): Promise<ServiceReport> {
  const statuses = new Map<number, number>()
  const findings = new Map<string, Finding & { readonly seed: number }>()
  const succeeded = new Set<string>()
  const operations = new Set<string>()
  let made: ReturnType<typeof fromDocument> | undefined
  let sent = 0
  let slowest: ChunkReport['slowest'] = { milliseconds: 0, request: undefined }
  for (let part = 0; part * CHUNK < requests; part += 1) {
    const open = await target.open()
    try {
      made ??= fromDocument(open)
      const report = await fuzzChunk({
        target: open,
        ...made,
        transport: transportOf(seed + part),
        seed: seed + part,
        deadlineMs,
        count: Math.min(CHUNK, requests - part * CHUNK),
      })
      for (const { id } of [...open.routes, ...open.sockets]) operations.add(id)
      for (const id of report.succeeded) succeeded.add(id)
      for (const [status, count] of report.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
      for (const [what, finding] of report.findings) {
        if (!findings.has(what)) findings.set(what, { ...finding, seed: seed + part })
      }
      sent += report.sent
      if (report.slowest.milliseconds > slowest.milliseconds) slowest = report.slowest
    } finally {
      await open.close()
    }
  }
  return {
    sent,
    findings: [...findings.values()],
    statuses,
    slowest,
    neverSucceeded: [...operations].filter((id) => !succeeded.has(id)),
  }
}
