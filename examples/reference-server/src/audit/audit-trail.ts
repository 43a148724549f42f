import type { AnsweredRequest, Peer } from '@trivium/http-contract'
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
/** Addresses and reasons that are counted apart; the others are summed up by reason. */
const MOST_COUNTED = 100

type Refused = Partial<AuditEntry> & { readonly reason: NonNullable<AuditEntry['reason']> }

/**
 * Writes each login, each change and the first refusal of an address for a reason immediately, and further refusals as a
 * count each minute: a flood of them fills no disk.
 */
export function auditTrail(log: AuditLog): AuditTrail {
  const counts = new Map<string, { count: number; readonly refused: Refused }>()
  const write = (entry: Omit<AuditEntry, 'at'>) => log.write({ at: new Date().toISOString(), ...entry })

  const sumUp = () => {
    for (const { count, refused } of counts.values()) {
      if (count > 0) write({ event: 'refused', outcome: 'refused', ...refused, count })
    }
    counts.clear()
  }
  let isStarted = false
  const timer = setInterval(sumUp, SUMMING_MS).unref()

  const refuse = (refused: Refused) => {
    const { reason, from } = refused
    const own = `${reason} ${from}`
    const isOwn = counts.has(own) || counts.size < MOST_COUNTED
    const key = isOwn ? own : `${reason} ${OTHERS}`
    const counted = counts.get(key)
    if (counted) counted.count += 1
    else {
      counts.set(key, { count: isOwn ? 0 : 1, refused: { reason, from: isOwn ? from : OTHERS } })
      if (isOwn) write({ event: 'refused', outcome: 'refused', ...refused })
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
