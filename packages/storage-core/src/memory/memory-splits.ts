import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { type Split, type SplitId, type SplitStatus, splitFields } from '../splits/split.ts'
import type { SplitRepository } from '../splits/split-repository.ts'
import type { VolumeId } from '../volumes/volume.ts'
import { longestLease } from '../workers/longest-lease.ts'
import { allowable, type HeldSplit, type SplitLoadLedger } from './split-load-ledger.ts'

/** Stores splits in memory until the process ends. Returns copies. */
export function memorySplits(ledger: SplitLoadLedger): SplitRepository {
  const { nodes, tokens, splits } = ledger
  const heldBy = (uuid: SplitId, owner: string): HeldSplit | undefined => {
    const held = splits.get(uuid)
    return held?.owner === owner ? held : undefined
  }
  const all = () => [...splits.values()].map(({ split }) => split)
  const ofFile = (volume: VolumeId, identity: string | undefined) =>
    all().find((split) => split.volume.uuid === volume && identity !== undefined && split.identity === identity)
  const isWaiting = ({ split, open }: HeldSplit) => open && split.state === 'waiting'
  /** The waiting splits of a volume, in their order. */
  const waitingOn = (volume: VolumeId): readonly HeldSplit[] =>
    [...splits.values()].filter((held) => isWaiting(held) && held.split.volume.uuid === volume).sort(byPlace)
  const lastPlace = () => Math.max(0, ...[...splits.values()].map(({ place }) => place))
  const changeState = (uuid: SplitId, from: readonly Split['state'][], state: Split['state']): boolean => {
    const held = splits.get(uuid)
    if (!held || !from.includes(held.split.state)) return false
    const { reason: _, ...split } = held.split
    splits.set(uuid, { ...held, split: { ...split, state } })
    return true
  }
  return {
    async begin(split, now) {
      if (splits.has(split.uuid)) return 'begun'
      if (ofFile(split.volume.uuid, split.identity)) return 'taken'
      if (split.token === undefined) {
        const node = nodes.get(split.node.uuid)
        if (!node || split.size > allowable(ledger, node, now)) return 'over-load'
      } else {
        const token = tokens.get(split.token)
        if (token?.node.uuid !== split.node.uuid || token.expiresAt <= now) return 'token-not-found'
        if (token.reserveSize < split.size) return 'token-too-small'
        tokens.set(token.uuid, { ...token, reserveSize: token.reserveSize - split.size })
      }
      const open = split.identity !== undefined
      splits.set(split.uuid, { split: structuredClone(split), open, place: lastPlace() + 1, freeAt: new Date(0) })
      return 'begun'
    },
    async find(uuid) {
      return structuredClone(splits.get(uuid)?.split)
    },
    async findByFile(volume, identity) {
      return structuredClone(ofFile(volume, identity))
    },
    async list(request) {
      return structuredClone(pageInMemory(splitFields, all(), request))
    },
    async count(query) {
      return all().filter(compileQuery(splitFields, query)).length
    },
    async queue(volume, limit) {
      return waitingOn(volume)
        .slice(0, limit)
        .map(({ split }) => split.uuid)
    },
    async open(uuid, identity) {
      const held = splits.get(uuid)
      if (held) splits.set(uuid, { ...held, open: true, split: { ...held.split, identity } })
      return held !== undefined
    },
    async pause(uuid) {
      return changeState(uuid, ['waiting', 'running'], 'paused')
    },
    async resume(uuid) {
      const isChanged = changeState(uuid, ['paused'], 'waiting')
      const held = splits.get(uuid)
      if (isChanged && held && held.owner === undefined) splits.set(uuid, { ...held, freeAt: new Date(0) })
      return isChanged
    },
    async move(uuid, order) {
      const moved = splits.get(uuid)
      if (!moved) return
      const next = waitingOn(moved.split.volume.uuid).filter(({ split }) => split.uuid !== uuid)[order - 1]
      const place = next?.place ?? lastPlace() + 1
      if (next) {
        for (const [other, held] of splits) {
          if (held.place >= place) splits.set(other, { ...held, place: held.place + 1 })
        }
      }
      splits.set(uuid, { ...moved, place })
    },
    async cancel(uuid, now) {
      const split = splits.get(uuid)?.split
      splits.delete(uuid)
      const token = split?.token && tokens.get(split.token)
      if (split && token && token.expiresAt > now) {
        tokens.set(token.uuid, { ...token, reserveSize: token.reserveSize + split.remaining })
      }
      return split
    },
    async claim({ owner, volumes, now, leaseUntil }) {
      const latest = longestLease({ now, leaseUntil })
      const [held] = [...splits.values()]
        .filter(({ freeAt }) => freeAt <= now || freeAt > latest)
        .filter(({ split, open }) => open && split.state !== 'paused' && volumes.includes(split.volume.uuid))
        .sort(byPlace)
      if (!held) return undefined
      const { reason: _, ...rest } = held.split
      const split = { ...rest, state: 'running' } as const
      splits.set(split.uuid, { ...held, split, owner, freeAt: leaseUntil })
      return structuredClone(split)
    },
    async advance(uuid, { owner, remaining, position, rate, now, leaseUntil }) {
      const held = heldBy(uuid, owner)
      if (!held || held.freeAt <= now) return 'lost'
      if (remaining === 0) splits.delete(uuid)
      else {
        const state = held.split.state === 'paused' ? 'paused' : 'running'
        const split = { ...held.split, state, remaining, position, ...(rate !== undefined && { rate }) } as const
        splits.set(uuid, { ...held, freeAt: leaseUntil, split })
        if (state === 'paused') return 'paused'
      }
      return 'held'
    },
    async release(uuid, owner, { retryAt, reason }) {
      const held = heldBy(uuid, owner)
      if (!held) return
      const { owner: _, split, ...free } = held
      const waits = { ...split, state: 'waiting', ...(reason !== undefined && { reason }) } as const
      splits.set(uuid, { ...free, split: split.state === 'paused' ? split : waits, freeAt: retryAt })
    },
    async owners(now) {
      return [...new Set([...splits.values()].flatMap(({ owner, freeAt }) => (freeAt > now ? (owner ?? []) : [])))]
    },
    async endLeases(owner, now) {
      for (const [uuid, held] of splits) if (held.owner === owner) splits.set(uuid, { ...held, freeAt: now })
    },
    async status() {
      const volumes = new Map<string, SplitStatus>()
      for (const { volume, svm, remaining } of all()) {
        const before = volumes.get(volume.uuid)
        volumes.set(volume.uuid, {
          volume: { ...volume },
          svm: { ...svm },
          pendingSplits: (before?.pendingSplits ?? 0) + 1,
          unsplitSize: (before?.unsplitSize ?? 0) + remaining,
        })
      }
      return [...volumes.values()]
    },
  }
}

const byPlace = (left: HeldSplit, right: HeldSplit): number => left.place - right.place
