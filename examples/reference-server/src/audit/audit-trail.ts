import { type AnsweredRequest, type Peer, sourceOf } from '@trivium/http-contract'
import type { AuditEntry, AuditLog } from './audit-log.ts'

/** Receives what happens in the server, and writes it to the audit log. */
export interface AuditTrail {
  started(): void
  login(peer: Peer): void
  /** Records a request that was refused, or an administrative operation that was answered. */
  answered(service: string, request: AnsweredRequest): void
  /** Records a request to a loopback server with a foreign `Host` or `Origin`. */
  foreignRequest(remoteAddress: string | undefined): void
  /** Records a connection to a TCP port of an instance. Its user is not known. */
  consoleOpened(place: ConsolePlace, remoteAddress: string | undefined): void
  /** Writes the pending counts and closes the log. */
  close(): Promise<void>
}

/** A console or monitor of an instance. */
export interface ConsolePlace {
  readonly projectId: string
  readonly instanceId: string
  readonly port: 'console' | 'monitor'
}

/** How often refusals and console connections are summed up. */
const SUM_INTERVAL_MS = 60_000
/** The number of sources that are counted separately for each reason, and for consoles. All others are one sum. */
const MAX_COUNTED_SOURCES = 100

type Entry = Omit<AuditEntry, 'at'>

interface SourceCount {
  count: number
  readonly summed: Entry
}

/** The entries for the first event of a source, for its next ones, and for those of all sources beyond the limit. */
interface CountedEntries {
  readonly first: Entry
  readonly summed: Entry
  readonly others: Entry
}

type Refused = Partial<AuditEntry> & { readonly reason: NonNullable<AuditEntry['reason']> }

/**
 * Writes each login and each change immediately. The first refusal of a source (as `sourceOf`) for each reason and its
 * first connection to a console are written immediately too, and further ones as a count each minute. So a flood does not
 * fill the disk, and a flood for one reason does not hide the sources of another.
 */
export function auditTrail(log: AuditLog): AuditTrail {
  const counts = new Map<string, Map<string, SourceCount>>()
  const write = (entry: Entry) => log.write({ at: new Date().toISOString(), ...entry })

  const sumUp = () => {
    for (const counted of counts.values()) {
      for (const { count, summed } of counted.values()) if (count > 0) write({ ...summed, count })
    }
    counts.clear()
  }
  let isStarted = false
  const timer = setInterval(sumUp, SUM_INTERVAL_MS).unref()

  const note = (group: string, key: string, { first, summed, others }: CountedEntries) => {
    const counted = counts.get(group) ?? new Map<string, SourceCount>()
    counts.set(group, counted)
    const found = counted.get(key)
    if (found) found.count += 1
    else if (counted.size < MAX_COUNTED_SOURCES) {
      counted.set(key, { count: 0, summed })
      write(first)
    } else {
      const rest = counted.get(OTHERS) ?? { count: 0, summed: { ...others, from: OTHERS } }
      rest.count += 1
      counted.set(OTHERS, rest)
    }
  }
  const refuse = (refused: Refused) => {
    const { reason, from } = refused
    const common = { event: 'refused', outcome: 'refused', reason } as const
    const source = sourceIn(from)
    note(reason, `${source}`, { first: { ...common, ...refused }, summed: { ...common, from: source }, others: common })
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
      else if (caller && (method !== 'GET' || status === SWITCHING_PROTOCOLS))
        write({ event: 'operation', outcome: status < 400 ? 'done' : 'failed', ...common, subject })
    },
    foreignRequest: (remoteAddress) => refuse({ reason: 'foreign_origin', from: remoteAddress, status: 403 }),
    consoleOpened({ projectId, instanceId, port }, from) {
      const event = { event: 'console', outcome: 'done', service: 'emulation' } as const
      const common = { ...event, subject: { project_id: projectId, vm_id: instanceId, port } }
      const source = sourceIn(from)
      const entries = { first: { ...common, from }, summed: { ...common, from: source }, others: event }
      note('console', `${instanceId} ${port} ${source}`, entries)
    },
    async close() {
      clearInterval(timer)
      sumUp()
      if (isStarted) write({ event: 'stopped', outcome: 'done' })
      await log.close()
    },
  }
}

const OTHERS = 'others'

const sourceIn = (address: string | undefined) => (address === undefined ? undefined : sourceOf(address))

/** The status of an opened WebSocket, through which a caller can type at a console. */
const SWITCHING_PROTOCOLS = 101
