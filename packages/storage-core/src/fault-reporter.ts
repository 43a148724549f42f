/** Passes faults to the host, or to the console where the host has no `onFault`. Errors of `onFault` are ignored. */
export function createFaultReporter(
  onFault: (error: unknown) => void = (error) => console.error(error),
): (error: unknown) => void {
  return (error) => {
    try {
      onFault(error)
    } catch {
      // There is no other place to report the error to.
    }
  }
}
