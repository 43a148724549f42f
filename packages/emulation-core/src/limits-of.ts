import { checkRange } from './check-range.ts'
import type { EmulationLimits } from './context.ts'

/** As many before now are a date still. */
const MOST_DAYS = 1_000_000
const MOST_SECONDS = 1_000_000_000

/**
 * The limits that hold: those of the host, and the defaults.
 *
 * @throws RangeError for one that is out of its range
 */
export function limitsOf({
  projects = 10_000,
  instancesOfAProject = 10_000,
  runningInstances = 2500,
  connectionsOfAnInstance = 1024,
  captureBytes = 2 ** 30,
  projectCaptureBytes = 2 ** 32,
  captureDays = 30,
  udpReservationSeconds = 3600,
}: Partial<EmulationLimits>): EmulationLimits {
  const counts = { projects, instancesOfAProject, runningInstances, connectionsOfAnInstance }
  checkRange(counts, 0, Number.MAX_SAFE_INTEGER)
  checkRange({ captureBytes, projectCaptureBytes }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ captureDays }, 1, MOST_DAYS)
  checkRange({ udpReservationSeconds }, 1, MOST_SECONDS)
  return { ...counts, captureBytes, projectCaptureBytes, captureDays, udpReservationSeconds }
}
