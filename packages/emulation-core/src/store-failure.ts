import type { EmulationRepositories } from './emulation-repositories.ts'

/** A repository rejected. What the caller wanted may or may not have happened. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'

  constructor(cause: unknown) {
    super('The store is unavailable', { cause })
  }

  /** Whether `thrown` is one, whichever copy of this package made it. */
  static is(thrown: unknown): thrown is StoreFailure {
    return thrown instanceof Error && thrown.name === 'StoreFailure'
  }
}

/** The same repositories; their rejections are store failures, so that nobody takes them for faults of the emulation. */
export const markStoreFailures = (repositories: EmulationRepositories): EmulationRepositories => ({
  projects: marked(repositories.projects),
  instances: marked(repositories.instances),
})

function marked<Repository extends object>(repository: Repository): Repository {
  return new Proxy(repository, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...values: readonly unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(method, target, values)
        } catch (cause) {
          throw new StoreFailure(cause)
        }
      }
    },
  })
}
