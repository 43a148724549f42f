import type { QuotaReport } from '../quota-reports/quota-report.ts'
import type { VolumeSpace } from '../volumes/volume-backend.ts'

/** What a sample of a volume has read. */
export interface VolumeUsage {
  /** Absent while the file system is unavailable. */
  readonly space?: VolumeSpace
  /** Of every target but default rules. Empty while quotas are off or the file system is unavailable. */
  readonly reports: readonly QuotaReport[]
}
