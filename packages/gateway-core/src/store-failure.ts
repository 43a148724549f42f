import { wrapMethods } from './wrap-methods.ts'

/** A repository rejected. What the caller wanted may or may not have happened. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'

  constructor(cause: unknown) {
    super('The store is unavailable', { cause })
  }

  /** Whether `thrown` is one, also where another copy of this package made it. */
  static is(thrown: unknown): thrown is StoreFailure {
    return thrown instanceof Error && thrown.name === 'StoreFailure'
  }
}

/**
 * The same repositories; what they reject with or throw becomes the rejection with a {@link StoreFailure}, so that no one
 * takes it for a fault of the service. What they answer synchronously stays so.
 */
export const markStoreFailures = <Repositories extends object>(repositories: Repositories): Repositories =>
  wrapMethods(repositories, (call) => {
    try {
      const result = call()
      return isPending(result) ? result.then(undefined, fail) : result
    } catch (cause) {
      return Promise.reject(new StoreFailure(cause))
    }
  })

function fail(cause: unknown): never {
  throw new StoreFailure(cause)
}

const isPending = (result: unknown): result is PromiseLike<unknown> =>
  typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function'
