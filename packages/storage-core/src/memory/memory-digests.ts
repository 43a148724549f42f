import type { Digest, DigestRepository } from '../digests/digest-repository.ts'
import { longestLease } from '../workers/longest-lease.ts'
import type { WebhookLedger } from './webhook-ledger.ts'

interface Position {
  /** The number of the last notice that was sent. */
  after: number
  /** That of the digest that is not sent yet. */
  until: number | undefined
  owner: string | undefined
  leaseUntil: Date
  retryAt: Date
}

const never = new Date(0)

/** Stores how far recipients have the notices, in memory until the process ends. */
export function memoryDigests({ notices }: Pick<WebhookLedger, 'notices'>): DigestRepository {
  const positions = new Map<string, Position>()
  const lastNumber = () => [...notices.values()].at(-1)?.number ?? 0
  return {
    async register(recipient) {
      if (positions.has(recipient)) return
      const free = { until: undefined, owner: undefined, leaseUntil: never, retryAt: never }
      positions.set(recipient, { after: lastNumber(), ...free })
    },
    async claim(request): Promise<Digest | undefined> {
      const { recipient, kinds, before, limit, owner, now, leaseUntil } = request
      const position = positions.get(recipient)
      if (!position || position.retryAt > now) return undefined
      if (position.leaseUntil > now && position.leaseUntil <= longestLease(request)) return undefined
      const waiting = [...notices.values()].filter(
        ({ number, notice }) => number > position.after && kinds.includes(notice.kind),
      )
      const [first] = waiting
      if (position.until === undefined && (!first || first.notice.at > before)) return undefined
      const until = position.until ?? lastNumber()
      Object.assign(position, { until, owner, leaseUntil })
      const covered = waiting.filter(({ number }) => number <= until)
      return structuredClone({ until, notices: covered.slice(0, limit), total: covered.length })
    },
    async sent(recipient, owner, now) {
      const position = positions.get(recipient)
      if (position?.owner !== owner || position.leaseUntil <= now) return false
      const { until = position.after } = position
      Object.assign(position, { after: until, until: undefined, owner: undefined, leaseUntil: now, retryAt: never })
      return true
    },
    async release(recipient, owner, retryAt) {
      const position = positions.get(recipient)
      if (position?.owner === owner) Object.assign(position, { owner: undefined, leaseUntil: never, retryAt })
    },
    async owners(now) {
      return [...new Set([...positions.values()].flatMap((one) => (one.leaseUntil > now ? (one.owner ?? []) : [])))]
    },
    async endLeases(owner, now) {
      for (const position of positions.values()) if (position.owner === owner) position.leaseUntil = now
    },
  }
}
