/** Reports a fault to the host's listener, if it has one. Errors of the listener are ignored. */
export const faultReport =
  <Operation>(onFault: ((error: unknown, operation: Operation) => void) | undefined) =>
  (error: unknown, operation: Operation): void => {
    try {
      onFault?.(error, operation)
    } catch {
      // No one is left to report to.
    }
  }
