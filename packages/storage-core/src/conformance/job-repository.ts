import { describe, expect, it } from 'vitest'
import type { Job } from '../jobs/job.ts'
import type { Position } from '../query/page.ts'
import { everything, oneOf } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aJob, jobId, later, ruleId, splitId, start, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const claim = (owner: string, at = 0, lanes: readonly string[] = ['lane']) => ({
  owner,
  lanes,
  now: later(at),
  leaseUntil: later(at + 1000),
})
const MONTH_MS = 30 * 86_400_000
const step = (owner: string, at = 0) => ({ owner, now: later(at), leaseUntil: later(at + 1000) })

export function jobRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('job repository', () => {
    const kept: readonly Job[] = [
      aJob(1),
      aJob(2, {
        task: {
          kind: 'clone-file',
          volume: volumeId(1),
          split: splitId(1),
          source: 'a/"ä\\\'',
          destination: '\u{1F600}',
          ranges: [{ sourceOffset: 0, destinationOffset: 4096, length: 2 ** 45 }],
          overwrite: false,
        },
      }),
      aJob(3, {
        task: { kind: 'resize-quota', volume: volumeId(1), rule: ruleId(1), cause: 'created' },
        state: 'failure',
        failure: { type: 'rule-created-resize-skipped', message: 'Switch quotas off and on.' },
        startedAt: later(1),
        endedAt: later(2),
      }),
    ]
    it.each(kept.map((job) => [job.task.kind, job] as const))('finds a %s job as it was added', async (_, job) => {
      const { jobs } = await openOne(open)
      await jobs.add(job)
      expect(await jobs.find(job.uuid)).toEqual(job)
      expect(await jobs.list({ query: everything, order: [], limit: 9 })).toEqual({ records: [job] })
      expect(await jobs.count(everything)).toBe(1)
    })

    it('pages through the jobs of some volumes', async () => {
      const { jobs } = await openOne(open)
      for (let number = 0; number < 9; number += 1) {
        await jobs.add(aJob(number, { task: { kind: 'enable-quota', volume: volumeId(number % 3) } }))
      }
      const query = { all: [oneOf('volumeUuid', [volumeId(0), volumeId(2), volumeId(7)])] }
      const found: string[] = []
      let position: Position | undefined
      do {
        const page = await jobs.list({ query, order: [], limit: 1, ...(position && { start: position }) })
        found.push(...page.records.map(({ uuid }) => uuid))
        position = page.next
      } while (position)
      expect(found).toEqual([0, 2, 3, 5, 6, 8].map(jobId))
      expect(await jobs.count(query)).toBe(6)
      expect(await jobs.count({ all: [oneOf('volumeUuid', [])] })).toBe(0)
    })

    it('hands out the jobs of a lane one by one, in the order of their addition', async () => {
      const { jobs } = await openOne(open)
      for (const number of [3, 1, 2]) await jobs.add(aJob(number))
      await jobs.add(aJob(4, { lane: 'other' }))
      expect(await jobs.claim(claim('a'))).toEqual(aJob(3, { state: 'running', startedAt: start }))
      expect(await jobs.claim(claim('b'))).toBeUndefined()
      expect(await jobs.claim(claim('b', 0, ['lane', 'other']))).toMatchObject({ uuid: jobId(4) })
      expect(await jobs.finish(jobId(3), 'a', { state: 'success' }, later(5))).toBe(true)
      expect(await jobs.find(jobId(3))).toEqual(aJob(3, { state: 'success', startedAt: start, endedAt: later(5) }))
      expect(await jobs.claim(claim('b', 5))).toMatchObject({ uuid: jobId(1) })
      expect(await jobs.claim(claim('b', 5, []))).toBeUndefined()
    })

    it('gives each job to one of many workers, and one job of a lane at a time', async () => {
      const of = alternating(await open(4))
      for (let number = 0; number < 12; number += 1) await of(number).jobs.add(aJob(number, { lane: `l${number % 4}` }))
      const lanes = ['l0', 'l1', 'l2', 'l3']
      const claimed = await Promise.all(
        Array.from({ length: 16 }, (_, index) => of(index).jobs.claim(claim(`${index}`, 0, lanes))),
      )
      expect(claimed.flatMap((job) => job?.lane ?? []).toSorted()).toEqual(lanes)
    })

    it('hands out a job again that was claimed with a clock one month ahead', async () => {
      const of = alternating(await open(2))
      await of(0).jobs.add(aJob(1))
      await of(0).jobs.claim(claim('ahead', MONTH_MS))
      expect(await of(1).jobs.claim(claim('right', 0))).toMatchObject({ uuid: jobId(1) })
      expect(await of(0).jobs.claim(claim('other', 1))).toBeUndefined()
      expect(await of(0).jobs.advance(jobId(1), step('ahead', 2))).toBe('lost')
      expect(await of(1).jobs.advance(jobId(1), step('right', 3))).toBe('continue')
    })

    it('records progress and renews the lease', async () => {
      const { jobs } = await openOne(open)
      await jobs.add(aJob(1))
      await jobs.claim(claim('a'))
      expect(await jobs.advance(jobId(1), { ...step('a', 900), progress: { done: 3, total: 7 } })).toBe('continue')
      expect(await jobs.advance(jobId(1), step('a', 1000))).toBe('continue')
      expect(await jobs.find(jobId(1))).toMatchObject({ progress: { done: 3, total: 7 } })
      expect(await jobs.claim(claim('b', 1999))).toBeUndefined()
      expect(await jobs.advance(jobId(1), step('b', 1000))).toBe('lost')
    })

    it('hands out a job again when its lease ends, before the next job of its lane', async () => {
      const { jobs } = await openOne(open)
      for (const number of [1, 2]) await jobs.add(aJob(number))
      await jobs.claim(claim('a'))
      expect(await jobs.claim(claim('b', 1000))).toEqual(aJob(1, { state: 'running', startedAt: start }))
      expect(await jobs.advance(jobId(1), step('a', 1001))).toBe('lost')
      expect(await jobs.finish(jobId(1), 'a', { state: 'success' }, later(1001))).toBe(false)
      expect(await jobs.suspend(jobId(1), 'a', 'queued', later(1001))).toBe(false)
      expect(await jobs.find(jobId(1))).toMatchObject({ state: 'running' })
    })

    it('refuses to finish a job after the end of its lease', async () => {
      const { jobs } = await openOne(open)
      await jobs.add(aJob(1))
      await jobs.claim(claim('a'))
      expect(await jobs.finish(jobId(1), 'a', { state: 'success' }, later(1000))).toBe(false)
    })

    it('keeps the failure of a job that fails', async () => {
      const { jobs } = await openOne(open)
      await jobs.add(aJob(1))
      await jobs.claim(claim('a'))
      const failure = { type: 'quota-unsupported', message: 'btrfs has no file limits' } as const
      expect(await jobs.finish(jobId(1), 'a', { state: 'failure', failure }, later(3))).toBe(true)
      expect(await jobs.find(jobId(1))).toEqual(
        aJob(1, { state: 'failure', failure, startedAt: start, endedAt: later(3) }),
      )
    })

    it('returns a suspended job to its place in the lane', async () => {
      const { jobs } = await openOne(open)
      for (const number of [1, 2]) await jobs.add(aJob(number))
      await jobs.claim(claim('a'))
      expect(await jobs.suspend(jobId(1), 'a', 'queued', later(1))).toBe(true)
      expect(await jobs.claim(claim('b', 1))).toMatchObject({ uuid: jobId(1) })
      expect(await jobs.suspend(jobId(1), 'b', 'paused', later(2))).toBe(true)
      expect(await jobs.find(jobId(1))).toMatchObject({ state: 'paused' })
      expect(await jobs.claim(claim('b', 2))).toMatchObject({ uuid: jobId(2) })
    })

    it('pauses, resumes and cancels a waiting job', async () => {
      const { jobs } = await openOne(open)
      for (const number of [1, 2]) await jobs.add(aJob(number))
      expect(await jobs.command(jobId(1), 'pause', start)).toBe('done')
      expect(await jobs.find(jobId(1))).toMatchObject({ state: 'paused' })
      expect(await jobs.command(jobId(1), 'resume', start)).toBe('done')
      expect(await jobs.command(jobId(2), 'cancel', later(4))).toBe('done')
      expect(await jobs.find(jobId(2))).toMatchObject({
        state: 'failure',
        failure: { type: 'cancelled' },
        endedAt: later(4),
      })
      expect(await jobs.claim(claim('a'))).toMatchObject({ uuid: jobId(1) })
      expect(await jobs.command(jobId(2), 'resume', start)).toBe('ended')
      expect(await jobs.command(jobId(9), 'cancel', start)).toBe('not-found')
    })

    it('passes commands to the worker of a running job', async () => {
      const { jobs } = await openOne(open)
      await jobs.add(aJob(1))
      await jobs.claim(claim('a'))
      expect(await jobs.command(jobId(1), 'pause', later(1))).toBe('asked')
      expect(await jobs.advance(jobId(1), step('a', 2))).toBe('pause')
      expect(await jobs.command(jobId(1), 'resume', later(3))).toBe('asked')
      expect(await jobs.advance(jobId(1), step('a', 4))).toBe('continue')
      expect(await jobs.command(jobId(1), 'cancel', later(5))).toBe('asked')
      expect(await jobs.advance(jobId(1), step('a', 6))).toBe('cancel')
      await jobs.suspend(jobId(1), 'a', 'queued', later(7))
      await jobs.claim(claim('b', 8))
      expect(await jobs.advance(jobId(1), step('b', 9))).toBe('continue')
    })

    it('cancels a job whose lease has ended', async () => {
      const { jobs } = await openOne(open)
      await jobs.add(aJob(1))
      await jobs.claim(claim('a'))
      expect(await jobs.command(jobId(1), 'cancel', later(1000))).toBe('done')
      expect(await jobs.advance(jobId(1), step('a', 1001))).toBe('lost')
    })

    it('gives the jobs of a worker that has ended to other workers, in their old places', async () => {
      const of = alternating(await open(2))
      for (const number of [1, 2, 3]) await of(0).jobs.add(aJob(number, { lane: `l${number % 2}` }))
      await of(0).jobs.claim(claim('a', 0, ['l1']))
      await of(0).jobs.claim(claim('b', 0, ['l0']))
      expect([...(await of(1).jobs.owners(later(1)))].sort()).toEqual(['a', 'b'])
      await of(1).jobs.endLeases('a', later(1))
      expect(await of(1).jobs.owners(later(1))).toEqual(['b'])
      expect(await of(0).jobs.advance(jobId(1), step('a', 1))).toBe('lost')
      expect(await of(1).jobs.claim(claim('c', 1, ['l0', 'l1']))).toMatchObject({ uuid: jobId(1), startedAt: start })
      expect(await of(1).jobs.claim(claim('c', 1, ['l0', 'l1']))).toBeUndefined()
      expect(await of(0).jobs.advance(jobId(2), step('b', 1))).toBe('continue')
      expect(await of(1).jobs.owners(later(5000))).toEqual([])
    })

    it('removes jobs that ended before the given time', async () => {
      const { jobs } = await openOne(open)
      for (const number of [1, 2, 3]) {
        await jobs.add(aJob(number, { lane: `l${number}` }))
        if (number === 3) continue
        await jobs.claim(claim('a', 0, [`l${number}`]))
        await jobs.finish(jobId(number), 'a', { state: 'success' }, later(number * 100))
      }
      expect(await jobs.removeEnded(later(200))).toBe(1)
      expect(await jobs.find(jobId(1))).toBeUndefined()
      expect(await jobs.removeEnded(later(201))).toBe(1)
      expect(await jobs.count(everything)).toBe(1)
    })
  })
}
