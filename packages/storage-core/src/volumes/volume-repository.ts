import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { SvmId } from '../svms/svm.ts'
import type { QuotaState, Volume, VolumeField, VolumeId, VolumeState } from './volume.ts'

/** The store of volumes. A rejection means that the store failed. An absent volume is `undefined`. */
export interface VolumeRepository {
  /** Adds a volume unless its SVM has one of that name. Returns the stored one. Atomic. */
  register(volume: Volume): Promise<Volume>
  /** Returns a volume, also one of another process. */
  find(uuid: VolumeId): Promise<Volume | undefined>
  /** Returns the volume of the SVM with exactly that name. */
  findByName(svm: SvmId, name: string): Promise<Volume | undefined>
  /** Returns one page of the volumes of all SVMs. */
  list(request: PageRequest<VolumeField>): Promise<Page<Volume>>
  /** Counts the volumes of all SVMs that match. */
  count(query: Query<VolumeField>): Promise<number>
  /**
   * Changes the state of the quotas if it is one of `from`. Atomic.
   *
   * @returns whether the state was changed. `false` when the volume is absent
   */
  changeQuotaState(uuid: VolumeId, from: readonly QuotaState[], to: QuotaState): Promise<boolean>
  /** Sets the state. Atomic. @returns whether the volume had another state before, `false` when it is absent */
  changeState(uuid: VolumeId, to: VolumeState): Promise<boolean>
  /** Sets the grace period in seconds, or removes it. Without effect when the volume is absent. */
  changeGracePeriod(uuid: VolumeId, seconds: number | undefined): Promise<void>
  /** Sets the mount point of its file system. Without effect when the volume is absent. */
  changeMountPoint(uuid: VolumeId, mountPoint: string): Promise<void>
  /** Removes a volume, but nothing that belongs to it. @returns whether it existed */
  remove(uuid: VolumeId): Promise<boolean>
}
