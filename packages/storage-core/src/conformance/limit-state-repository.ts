import { describe, expect, it } from 'vitest'
import type { LimitState, QuotaSubject } from '../limit-states/limit-state.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { later, ruleId, start, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const space: QuotaSubject = { kind: 'limit', rule: ruleId(1), qtree: 7, of: 'space' }
const aState = (changes: Partial<LimitState> = {}): LimitState => ({
  volume: volumeId(1),
  subject: space,
  sequence: Number.MAX_SAFE_INTEGER - 1,
  exceededSince: start,
  thresholds: [],
  ...changes,
})

export function limitStateRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('limit state repository', () => {
    it('keeps one state for each subject of a volume', async () => {
      const { limitStates } = await openOne(open)
      expect(await limitStates.list(volumeId(1))).toEqual([])
      const states = [
        aState(),
        aState({
          subject: { ...space, of: 'files' },
          graceStartedAt: start,
          graceEndedAt: later(7),
          thresholds: [80, 95],
        }),
        aState({ subject: { ...space, rule: ruleId(2) } }),
        aState({ subject: { ...space, qtree: 8 } }),
        aState({ subject: { ...space, principal: { id: '1001' } } }),
        aState({ subject: { kind: 'limit', rule: ruleId(1), principal: { id: '7', name: 'ádá' }, of: 'space' } }),
        aState({ subject: { kind: 'enforcement' } }),
      ]
      for (const state of states) expect(await limitStates.add(state)).toBe(true)
      expect(await limitStates.add(aState({ volume: volumeId(2) }))).toBe(true)
      expect(await limitStates.add(aState({ sequence: 5 }))).toBe(false)
      const listed = await limitStates.list(volumeId(1))
      expect(listed).toHaveLength(states.length)
      expect(listed).toEqual(expect.arrayContaining(states))
    })

    it('replaces a state only with the given sequence number', async () => {
      const { limitStates } = await openOne(open)
      const next = aState({ sequence: 3, thresholds: [50] })
      expect(await limitStates.replace(next, 2)).toBe(false)
      await limitStates.add(aState({ sequence: 2, graceStartedAt: start }))
      expect(await limitStates.replace(next, 1)).toBe(false)
      expect(await limitStates.replace(next, 2)).toBe(true)
      expect(await limitStates.replace(next, 2)).toBe(false)
      expect(await limitStates.list(volumeId(1))).toEqual([next])
    })

    it('removes a state only with the given sequence number', async () => {
      const { limitStates } = await openOne(open)
      await limitStates.add(aState({ sequence: 2 }))
      await limitStates.add(aState({ subject: { ...space, of: 'files' }, sequence: 2 }))
      expect(await limitStates.remove(volumeId(1), space, 1)).toBe(false)
      expect(await limitStates.remove(volumeId(2), space, 2)).toBe(false)
      expect(await limitStates.remove(volumeId(1), space, 2)).toBe(true)
      expect(await limitStates.remove(volumeId(1), space, 2)).toBe(false)
      expect(await limitStates.list(volumeId(1))).toHaveLength(1)
    })

    it('lets one of several processes add and replace a state', async () => {
      const of = alternating(await open(4))
      const turns = Array.from({ length: 8 }, (_, index) => index)
      const added = await Promise.all(turns.map((turn) => of(turn).limitStates.add(aState({ sequence: 1 }))))
      expect(added.filter(Boolean)).toHaveLength(1)
      const replaced = await Promise.all(turns.map((turn) => of(turn).limitStates.replace(aState({ sequence: 2 }), 1)))
      expect(replaced.filter(Boolean)).toHaveLength(1)
    })
  })
}
