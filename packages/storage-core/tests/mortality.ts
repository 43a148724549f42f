import type { StorageRepositories } from '../src/storage-repositories.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'

/** Simulates a process that crashes at one of its calls of the store or the file system. */
export interface Mortality {
  /** Whether the last call does not happen, or happens and never returns. */
  readonly when: 'before' | 'after'
  /** Crashes at the `call`-th call of the store or the file system, counted from now. */
  dieAt(call: number): void
  dieNow(): void
  /** Rejects every call that still waits, so that the storage can be closed. */
  bury(): void
  isDead(): boolean
  readonly died: Promise<void>
  repositories(of: StorageRepositories): StorageRepositories
  backend<Backend extends VolumeBackend>(of: Backend): VolumeBackend
}

export function createMortality(when: Mortality['when']): Mortality {
  let left = Number.POSITIVE_INFINITY
  let isDead = false
  const { promise: died, resolve: die } = Promise.withResolvers<void>()
  const { promise: over, reject: end } = Promise.withResolvers<never>()
  over.catch(() => undefined)

  const dieNow = () => {
    isDead = true
    die()
  }
  const mortal = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name)
        if (typeof member !== 'function' || name === 'watchQuota') return member
        return async (...values: readonly unknown[]): Promise<unknown> => {
          if (isDead) return over
          left -= 1
          if (left > 0) {
            const answer: unknown = await Reflect.apply(member, object, values)
            return isDead ? over : answer
          }
          dieNow()
          if (when === 'after') await Reflect.apply(member, object, values)
          return over
        }
      },
    })

  return {
    when,
    dieAt: (call) => {
      left = call
    },
    dieNow,
    bury: () => end(new Error('died')),
    isDead: () => isDead,
    died,
    repositories: (of) => ({
      nodes: mortal(of.nodes),
      svms: mortal(of.svms),
      volumes: mortal(of.volumes),
      qtrees: mortal(of.qtrees),
      quotaRules: mortal(of.quotaRules),
      enforcedQuotas: mortal(of.enforcedQuotas),
      cloneTokens: mortal(of.cloneTokens),
      splits: mortal(of.splits),
      jobs: mortal(of.jobs),
    }),
    backend: (of) => mortal<VolumeBackend>(of),
  }
}
