/** Reports a fault to the host, where it listens. A host that throws at it does not change the answer. */
export const faultReport =
  <Operation>(onFault: ((error: unknown, operation: Operation) => void) | undefined) =>
  (error: unknown, operation: Operation): void => {
    try {
      onFault?.(error, operation)
    } catch {
      // No one is left to report to.
    }
  }
