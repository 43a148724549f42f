import type { Job } from '../jobs/job.ts'
import { type JobId, jobFields } from '../jobs/job.ts'
import type { JobCommand, JobRepository } from '../jobs/job-repository.ts'
import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { longestLease } from '../workers/longest-lease.ts'

interface HeldJob {
  readonly job: Job
  readonly owner?: string
  readonly leaseUntil?: Date
  readonly command?: JobCommand
}

/** Stores jobs in memory until the process ends. Returns copies. */
export function memoryJobs(): JobRepository {
  /** Jobs in the order of insertion. */
  const jobs = new Map<JobId, HeldJob>()
  const all = () => [...jobs.values()].map(({ job }) => job)
  const heldBy = (uuid: JobId, owner: string, now: Date): HeldJob | undefined => {
    const held = jobs.get(uuid)
    return held?.owner === owner && isHeld(held, now) ? held : undefined
  }
  return {
    async add(job) {
      jobs.set(job.uuid, { job: structuredClone(job) })
    },
    async find(uuid) {
      return structuredClone(jobs.get(uuid)?.job)
    },
    async list(request) {
      return structuredClone(pageInMemory(jobFields, all(), request))
    },
    async count(query) {
      return all().filter(compileQuery(jobFields, query)).length
    },
    async claim({ owner, lanes, now, leaseUntil }) {
      const latest = longestLease({ now, leaseUntil })
      const isBusy = (held: HeldJob) => isHeld(held, now) && held.leaseUntil !== undefined && held.leaseUntil <= latest
      const busy = new Set([...jobs.values()].flatMap((held) => (isBusy(held) ? held.job.lane : [])))
      for (const { job } of jobs.values()) {
        if (job.state !== 'queued' && job.state !== 'running') continue
        if (!lanes.includes(job.lane) || busy.has(job.lane)) continue
        const running: Job = { ...job, state: 'running', startedAt: job.startedAt ?? now }
        jobs.set(job.uuid, { job: running, owner, leaseUntil })
        return structuredClone(running)
      }
      return undefined
    },
    async advance(uuid, { owner, progress, now, leaseUntil }) {
      const held = heldBy(uuid, owner, now)
      if (!held) return 'lost'
      jobs.set(uuid, { ...held, leaseUntil, job: { ...held.job, ...(progress && { progress: { ...progress } }) } })
      return held.command ?? 'continue'
    },
    async finish(uuid, owner, end, now) {
      const held = heldBy(uuid, owner, now)
      if (held) jobs.set(uuid, { job: { ...held.job, ...structuredClone(end), endedAt: now } })
      return held !== undefined
    },
    async suspend(uuid, owner, state, now) {
      const held = heldBy(uuid, owner, now)
      if (held) jobs.set(uuid, { job: { ...held.job, state } })
      return held !== undefined
    },
    async command(uuid, command, now) {
      const held = jobs.get(uuid)
      if (!held) return 'not-found'
      const { job } = held
      if (job.state === 'success' || job.state === 'failure') return 'ended'
      if (isHeld(held, now)) {
        const { command: before, ...rest } = held
        if (command !== 'resume') jobs.set(uuid, { ...rest, command })
        else if (before === 'pause') jobs.set(uuid, rest)
        return 'asked'
      }
      if (command === 'cancel') {
        const failure = { type: 'cancelled', message: 'The job was cancelled.' } as const
        jobs.set(uuid, { job: { ...job, state: 'failure', failure, endedAt: now } })
      } else if (command === 'pause') jobs.set(uuid, { job: { ...job, state: 'paused' } })
      else if (job.state === 'paused') jobs.set(uuid, { job: { ...job, state: 'queued' } })
      return 'done'
    },
    async owners(now) {
      return [...new Set([...jobs.values()].flatMap((held) => (isHeld(held, now) ? (held.owner ?? []) : [])))]
    },
    async endLeases(owner, now) {
      for (const [uuid, held] of jobs) if (held.owner === owner) jobs.set(uuid, { ...held, leaseUntil: now })
    },
    async removeEnded(before) {
      const ended = all().filter(({ endedAt }) => endedAt && endedAt < before)
      for (const { uuid } of ended) jobs.delete(uuid)
      return ended.length
    },
  }
}

const isHeld = ({ job, leaseUntil }: HeldJob, now: Date): boolean =>
  job.state === 'running' && leaseUntil !== undefined && leaseUntil > now
