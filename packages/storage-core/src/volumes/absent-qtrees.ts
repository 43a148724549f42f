import type { VolumeId } from './volume.ts'

/** The qtrees that file systems have lost, so that each loss is reported once. */
export interface AbsentQtrees {
  /** Sets the missing qtrees of a volume. @returns the changes since the last call for that volume */
  update(volume: VolumeId, missing: readonly string[]): AbsenceChange
}

export interface AbsenceChange {
  readonly lost: readonly string[]
  readonly found: readonly string[]
}

export function createAbsentQtrees(): AbsentQtrees {
  const known = new Map<VolumeId, ReadonlySet<string>>()
  return {
    update: (volume, missing) => {
      const before = known.get(volume) ?? new Set()
      const now = new Set(missing)
      known.set(volume, now)
      return {
        lost: missing.filter((name) => !before.has(name)),
        found: [...before].filter((name) => !now.has(name)),
      }
    },
  }
}
