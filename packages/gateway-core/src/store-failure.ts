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

/** Marks a repository's rejection as the store's failure, so that nobody takes it for a fault of the gateway. */
export async function stored<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation
  } catch (cause) {
    throw new StoreFailure(cause)
  }
}
