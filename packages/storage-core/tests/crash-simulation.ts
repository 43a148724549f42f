import type { StorageRepositories } from '../src/storage-repositories.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'

/** Simulates a process that crashes at one of its calls of the store or the file system. */
export interface CrashSimulation {
  /** Whether the last call does not happen, or happens and never returns. */
  readonly when: 'before' | 'after'
  /** Crashes at the `call`-th call of the store or the file system, counted from now. */
  crashAt(call: number): void
  crashNow(): void
  /** Rejects every call that still waits, so that the storage can be closed. */
  rejectPending(): void
  hasCrashed(): boolean
  readonly crashed: Promise<void>
  repositories(of: StorageRepositories): StorageRepositories
  backend<Backend extends VolumeBackend>(of: Backend): VolumeBackend
}

export function createCrashSimulation(when: CrashSimulation['when']): CrashSimulation {
  let left = Number.POSITIVE_INFINITY
  let hasCrashed = false
  const { promise: crashed, resolve: resolveCrashed } = Promise.withResolvers<void>()
  const { promise: never, reject: end } = Promise.withResolvers<never>()
  never.catch(() => undefined)

  const crashNow = () => {
    hasCrashed = true
    resolveCrashed()
  }
  const crashable = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name)
        if (typeof member !== 'function' || name === 'watchQuota') return member
        return async (...values: readonly unknown[]): Promise<unknown> => {
          if (hasCrashed) return never
          left -= 1
          if (left > 0) {
            const answer: unknown = await Reflect.apply(member, object, values)
            return hasCrashed ? never : answer
          }
          crashNow()
          if (when === 'after') await Reflect.apply(member, object, values)
          return never
        }
      },
    })

  return {
    when,
    crashAt: (call) => {
      left = call
    },
    crashNow,
    rejectPending: () => end(new Error('died')),
    hasCrashed: () => hasCrashed,
    crashed,
    repositories: (of) => ({
      nodes: crashable(of.nodes),
      svms: crashable(of.svms),
      volumes: crashable(of.volumes),
      qtrees: crashable(of.qtrees),
      quotaRules: crashable(of.quotaRules),
      enforcedQuotas: crashable(of.enforcedQuotas),
      limitStates: crashable(of.limitStates),
      cloneTokens: crashable(of.cloneTokens),
      splits: crashable(of.splits),
      jobs: crashable(of.jobs),
      notices: crashable(of.notices),
      webhooks: crashable(of.webhooks),
      selfTokens: crashable(of.selfTokens),
      digests: crashable(of.digests),
      usageHistory: crashable(of.usageHistory),
    }),
    backend: (of) => crashable<VolumeBackend>(of),
  }
}
