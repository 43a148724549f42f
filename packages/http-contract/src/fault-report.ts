import { consoleFaults, type NamedOperation } from './console-faults.ts'

/** Reports a fault to the host's listener, or to the console without one. Errors of the listener are ignored. */
export function faultReport<Operation extends NamedOperation>(
  onFault: (error: unknown, operation: Operation, id: string) => void = consoleFaults(),
): (error: unknown, operation: Operation, id: string) => void {
  return (error, operation, id) => {
    try {
      onFault(error, operation, id)
    } catch {
      // No one is left to report to.
    }
  }
}
