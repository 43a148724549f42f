/**
 * Passes faults to the host's `onFault`, or to `console.error` without one. Errors that `onFault` throws are ignored.
 */
export function createFaultReporter(
  onFault: (error: unknown) => void = (error) => console.error(error),
): (error: unknown) => void {
  return (error) => {
    try {
      onFault(error)
    } catch {
      // There is no other place to report to.
    }
  }
}
