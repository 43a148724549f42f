import type { SplitId, SplitStatus } from '../splits/split.ts'
import type { SplitRepository } from '../splits/split-repository.ts'
import { longestLease } from '../workers/longest-lease.ts'
import { allowable, type HeldSplit, type SplitLoadLedger } from './split-load-ledger.ts'

/** Stores splits in memory until the process ends. Returns copies. */
export function memorySplits(ledger: SplitLoadLedger): SplitRepository {
  const { nodes, tokens, splits } = ledger
  const heldBy = (uuid: SplitId, owner: string): HeldSplit | undefined => {
    const held = splits.get(uuid)
    return held?.owner === owner ? held : undefined
  }
  return {
    async begin(split, now) {
      if (splits.has(split.uuid)) return 'begun'
      if (split.token === undefined) {
        const node = nodes.get(split.node.uuid)
        if (!node || split.size > allowable(ledger, node, now)) return 'over-load'
      } else {
        const token = tokens.get(split.token)
        if (token?.node.uuid !== split.node.uuid || token.expiresAt <= now) return 'token-not-found'
        if (token.reserveSize < split.size) return 'token-too-small'
        tokens.set(token.uuid, { ...token, reserveSize: token.reserveSize - split.size })
      }
      splits.set(split.uuid, { split: structuredClone(split), open: false, freeAt: new Date(0) })
      return 'begun'
    },
    async find(uuid) {
      return structuredClone(splits.get(uuid)?.split)
    },
    async open(uuid, identity) {
      const held = splits.get(uuid)
      if (held) splits.set(uuid, { ...held, open: true, split: { ...held.split, identity } })
      return held !== undefined
    },
    async cancel(uuid, now) {
      const split = splits.get(uuid)?.split
      splits.delete(uuid)
      const token = split?.token && tokens.get(split.token)
      if (split && token && token.expiresAt > now) {
        tokens.set(token.uuid, { ...token, reserveSize: token.reserveSize + split.remaining })
      }
    },
    async claim({ owner, volumes, now, leaseUntil }) {
      const latest = longestLease({ now, leaseUntil })
      const waiting = [...splits.values()]
        .filter(({ freeAt }) => freeAt <= now || freeAt > latest)
        .filter(({ split, open }) => open && volumes.includes(split.volume.uuid))
        .sort((left, right) => left.split.startedAt.getTime() - right.split.startedAt.getTime())
      const [held] = waiting
      if (!held) return undefined
      splits.set(held.split.uuid, { ...held, owner, freeAt: leaseUntil })
      return structuredClone(held.split)
    },
    async advance(uuid, { owner, remaining, position, now, leaseUntil }) {
      const held = heldBy(uuid, owner)
      if (!held || held.freeAt <= now) return false
      if (remaining === 0) splits.delete(uuid)
      else splits.set(uuid, { ...held, freeAt: leaseUntil, split: { ...held.split, remaining, position } })
      return true
    },
    async release(uuid, owner, retryAt) {
      const held = heldBy(uuid, owner)
      if (!held) return
      const { owner: _, ...free } = held
      splits.set(uuid, { ...free, freeAt: retryAt })
    },
    async owners(now) {
      return [...new Set([...splits.values()].flatMap(({ owner, freeAt }) => (freeAt > now ? (owner ?? []) : [])))]
    },
    async endLeases(owner, now) {
      for (const [uuid, held] of splits) if (held.owner === owner) splits.set(uuid, { ...held, freeAt: now })
    },
    async status() {
      const volumes = new Map<string, SplitStatus>()
      for (const { split } of splits.values()) {
        const { volume, svm } = split
        const before = volumes.get(volume.uuid)
        volumes.set(volume.uuid, {
          volume: { ...volume },
          svm: { ...svm },
          pendingSplits: (before?.pendingSplits ?? 0) + 1,
          unsplitSize: (before?.unsplitSize ?? 0) + split.remaining,
        })
      }
      return [...volumes.values()]
    },
  }
}
