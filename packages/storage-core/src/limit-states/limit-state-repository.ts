import type { VolumeId } from '../volumes/volume.ts'
import type { LimitState, LimitSubject } from './limit-state.ts'

/** The store of what watches have seen, at most one state for each subject of a volume. Rejects when the store fails. */
export interface LimitStateRepository {
  /** Lists the states of a volume, in any order. */
  list(volume: VolumeId): Promise<readonly LimitState[]>
  /** Adds a state. Atomic. @returns `false`, with nothing changed, when the subject has a state */
  add(state: LimitState): Promise<boolean>
  /**
   * Replaces the state of the same subject if its sequence number is `from`. Atomic.
   *
   * @returns whether it was replaced
   */
  replace(state: LimitState, from: number): Promise<boolean>
  /** Removes the state of a subject if its sequence number is `from`. Atomic. @returns whether it was removed */
  remove(volume: VolumeId, subject: LimitSubject, from: number): Promise<boolean>
}
