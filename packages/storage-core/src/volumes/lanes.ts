import type { VolumeId } from './volume.ts'

/** The lane of jobs that change the quotas or qtrees of a volume. */
export const quotaLane = (volume: VolumeId): string => `quotas/${volume}`

export const cloneLane = (volume: VolumeId): string => `clones/${volume}`
