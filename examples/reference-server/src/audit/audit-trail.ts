import { type AnsweredRequest, type Peer, sourceOf } from '@trivium/http-contract'
import type { AuditEntry, AuditLog } from './audit-log.ts'

/** Hears what happens in the server, and writes down what an owner wants to find later. */
export interface AuditTrail {
  started(): void
  login(peer: Peer): void
  /** A request that was refused, or an administrative operation that was answered. */
  answered(service: string, request: AnsweredRequest): void
  /** A request to a loopback server under a foreign name, of any service. */
  foreign(remoteAddress: string | undefined): void
  /** Writes down what is left. */
  close(): Promise<void>
}

/** How often refusals are summed up. */
const SUMMING_MS = 60_000
/** Sources that are counted apart for each reason; the others are summed up. */
const MOST_COUNTED = 100

type Refused = Partial<AuditEntry> & { readonly reason: NonNullable<AuditEntry['reason']> }

/**
 * Writes each login, each change and the first refusal of a source (as `sourceOf`) for a reason immediately, and further
 * refusals as a count each minute: a flood of them fills no disk, and one for a reason hides no source of another.
 */
export function auditTrail(log: AuditLog): AuditTrail {
  const counts = new Map<Refused['reason'], Map<string, number>>()
  const write = (entry: Omit<AuditEntry, 'at'>) => log.write({ at: new Date().toISOString(), ...entry })

  const sumUp = () => {
    for (const [reason, sources] of counts) {
      for (const [source, count] of sources) {
        if (count > 0) write({ event: 'refused', outcome: 'refused', reason, from: source || undefined, count })
      }
    }
    counts.clear()
  }
  let isStarted = false
  const timer = setInterval(sumUp, SUMMING_MS).unref()

  const refuse = (refused: Refused) => {
    const { reason, from } = refused
    const sources = counts.get(reason) ?? new Map<string, number>()
    counts.set(reason, sources)
    const source = from === undefined ? '' : sourceOf(from)
    const count = sources.get(source)
    if (count !== undefined) sources.set(source, count + 1)
    else if (sources.size >= MOST_COUNTED) sources.set(OTHERS, (sources.get(OTHERS) ?? 0) + 1)
    else {
      sources.set(source, 0)
      write({ event: 'refused', outcome: 'refused', ...refused })
    }
  }

  return {
    started: () => {
      isStarted = true
      write({ event: 'started', outcome: 'done' })
    },
    login: ({ remoteAddress }) =>
      write({ event: 'login', outcome: 'done', who: { type: 'admin' }, from: remoteAddress }),
    answered(service, { operation, caller, remoteAddress, requestId, status, refusal, subject, method }) {
      const common = {
        ...(caller && { who: caller }),
        from: remoteAddress,
        service,
        operation,
        ...(requestId !== '' && { request_id: requestId }),
        status,
      }
      if (refusal !== undefined) refuse({ ...common, reason: refusal })
      else if (caller && (method !== 'GET' || status === OPENED))
        write({ event: 'operation', outcome: status < 400 ? 'done' : 'failed', ...common, subject })
    },
    foreign: (remoteAddress) => refuse({ reason: 'foreign_origin', from: remoteAddress, status: 403 }),
    async close() {
      clearInterval(timer)
      sumUp()
      if (isStarted) write({ event: 'stopped', outcome: 'done' })
      await log.close()
    },
  }
}

const OTHERS = 'others'

/** The status of a WebSocket: someone looks at a console, and types there. */
const OPENED = 101
