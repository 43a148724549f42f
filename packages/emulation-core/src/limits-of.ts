import { checkRange, MAX_SECONDS } from './check-range.ts'
import type { EmulationLimits } from './context.ts'

// That many days before now is still a valid date.
const MAX_DAYS = 1_000_000

/**
 * Completes the limits of the host with the defaults.
 *
 * @throws RangeError where a limit is out of its range
 */
export function limitsOf({
  projects = 10_000,
  instancesOfAProject = 10_000,
  runningInstances = 2500,
  connectionsOfAnInstance = 1024,
  captureFilesOfAProject = 1000,
  captureBytes = 2 ** 30,
  projectCaptureBytes = 2 ** 32,
  captureDays = 30,
  udpReservationSeconds = 3600,
}: Partial<EmulationLimits>): EmulationLimits {
  const counts = {
    projects,
    instancesOfAProject,
    runningInstances,
    connectionsOfAnInstance,
    captureFilesOfAProject,
  }
  checkRange(counts, 0, Number.MAX_SAFE_INTEGER)
  checkRange({ captureBytes, projectCaptureBytes }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ captureDays }, 1, MAX_DAYS)
  checkRange({ udpReservationSeconds }, 1, MAX_SECONDS)
  return { ...counts, captureBytes, projectCaptureBytes, captureDays, udpReservationSeconds }
}
