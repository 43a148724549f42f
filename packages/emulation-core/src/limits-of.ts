import { checkRange, MAX_SECONDS } from './check-range.ts'
import type { EmulationLimits } from './context.ts'

// That many days before now is still a valid date.
const MAX_DAYS = 1_000_000
const MAX_HOURS = 1_000_000

const GIB = 2 ** 30

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
  drawingsOfAProject = 1000,
  drawingCharactersOfAProject = 2 ** 23,
  consoleCommands = 100,
  captureFilesOfAProject = 1000,
  captureBytes = 2 ** 30,
  projectCaptureBytes = 2 ** 32,
  captureDays = 30,
  diskImages = 1000,
  diskImageBytes = 32 * GIB,
  diskImagesBytes = 256 * GIB,
  diskImageVirtualBytes = 1024 * GIB,
  diskImageUploads = 4,
  diskImageUploadHours = 24,
  udpReservationSeconds = 3600,
}: Partial<EmulationLimits>): EmulationLimits {
  const counts = {
    projects,
    instancesOfAProject,
    runningInstances,
    connectionsOfAnInstance,
    drawingsOfAProject,
    consoleCommands,
    diskImages,
    diskImageUploads,
    captureFilesOfAProject,
  }
  const sizes = {
    drawingCharactersOfAProject,
    captureBytes,
    projectCaptureBytes,
    diskImageBytes,
    diskImagesBytes,
    diskImageVirtualBytes,
  }
  checkRange(counts, 0, Number.MAX_SAFE_INTEGER)
  checkRange(sizes, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ captureDays }, 1, MAX_DAYS)
  checkRange({ diskImageUploadHours }, 1, MAX_HOURS)
  checkRange({ udpReservationSeconds }, 1, MAX_SECONDS)
  return { ...counts, ...sizes, captureDays, diskImageUploadHours, udpReservationSeconds }
}
