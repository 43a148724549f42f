import type { VolumeId } from './volume.ts'

/** Runs the work on a volume in this process, one after the other. */
export type VolumeTurns = <Result>(volume: VolumeId, work: () => Promise<Result>) => Promise<Result>

export function createVolumeTurns(): VolumeTurns {
  const last = new Map<VolumeId, Promise<unknown>>()
  return (volume, work) => {
    const turn = (last.get(volume) ?? Promise.resolve()).then(work, work)
    last.set(volume, turn)
    return turn
  }
}
