import { wrapMethods } from './wrap-methods.ts'

/** The error of a repository that failed. Whether the operation took effect is unknown. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'

  constructor(cause: unknown) {
    super('The store is unavailable', { cause })
  }

  /** Returns whether `thrown` is a `StoreFailure`, also of another copy of this package. */
  static is(thrown: unknown): thrown is StoreFailure {
    return thrown instanceof Error && thrown.name === 'StoreFailure'
  }
}

/**
 * Wraps repositories so that each error that they throw or reject with becomes a rejection with a {@link StoreFailure}.
 * Synchronous results stay synchronous.
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
