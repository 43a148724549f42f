/** Passes faults to the host, or to the console where the host has no `onFault`. Errors of `onFault` are ignored. */
export function createFaultReporter(
  onFault: (error: unknown) => void = (error) => console.error(error),
): (error: unknown) => void {
  return (error) => {
    try {
      onFault(error)
    } catch {
      // No one is left to report to.
    }
  }
}
