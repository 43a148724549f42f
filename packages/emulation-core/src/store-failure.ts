import { wrapMethods } from './wrap-methods.ts'

/** The error of a repository that failed. Whether the operation took effect is unknown. Also of an unprepared store. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'

  /** @param message says what to do where the store is not prepared */
  constructor(cause: unknown, message = 'The store is unavailable') {
    super(message, cause === undefined ? undefined : { cause })
  }

  /** Returns whether `thrown` is a `StoreFailure`, also of another copy of this package. */
  static is(thrown: unknown): thrown is StoreFailure {
    return thrown instanceof Error && thrown.name === 'StoreFailure'
  }
}

/**
 * Wraps repositories so that each error that they throw or reject with becomes a rejection with a {@link StoreFailure}.
 * Synchronous results stay synchronous.
 *
 * @param explain finds a better error than that of the repository, such as for a missing migration. It must not reject.
 */
export function markStoreFailures<Repositories extends object>(
  repositories: Repositories,
  explain: () => Promise<StoreFailure | undefined> = async () => undefined,
): Repositories {
  const fail = async (cause: unknown): Promise<never> => {
    throw (await explain()) ?? new StoreFailure(cause)
  }
  return wrapMethods(repositories, (call) => {
    try {
      const result = call()
      return isPending(result) ? result.then(undefined, fail) : result
    } catch (cause) {
      return fail(cause)
    }
  })
}

/**
 * Returns a check of whether a store is prepared. It rejects with a {@link StoreFailure}, whose message says what is
 * missing. The same sentence is the same error, so that it is reported once.
 */
export function createStoreCheck(repositories: { verify?(): Promise<string | undefined> }): () => Promise<void> {
  let unprepared: StoreFailure | undefined
  const verify = async (): Promise<string | undefined> => {
    try {
      return await repositories.verify?.()
    } catch (cause) {
      throw new StoreFailure(cause)
    }
  }
  return async () => {
    const problem = await verify()
    if (problem === undefined) return
    if (unprepared?.message !== problem) unprepared = new StoreFailure(undefined, problem)
    throw unprepared
  }
}

const isPending = (result: unknown): result is PromiseLike<unknown> =>
  typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function'
