import type { VolumeId } from './volume.ts'

/** Whatever changes a volume's quotas or qtrees happens one after the other. */
export const quotaLane = (volume: VolumeId): string => `quotas/${volume}`

export const cloneLane = (volume: VolumeId): string => `clones/${volume}`
