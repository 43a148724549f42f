/** Passes faults to `onFault`, by default to the console. What `onFault` throws is ignored. */
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
