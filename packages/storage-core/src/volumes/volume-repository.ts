import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { SvmId } from '../svms/svm.ts'
import type { QuotaState, Volume, VolumeField, VolumeId, VolumeState } from './volume.ts'

/** The store of volumes. A rejection means that the store failed. An absent volume is `undefined`. */
export interface VolumeRepository {
  /** Adds a volume unless its SVM has one of that name. Returns the stored one. Atomic. */
  register(volume: Volume): Promise<Volume>
  find(uuid: VolumeId): Promise<Volume | undefined>
  findByName(svm: SvmId, name: string): Promise<Volume | undefined>
  list(request: PageRequest<VolumeField>): Promise<Page<Volume>>
  count(query: Query<VolumeField>): Promise<number>
  /**
   * Changes the state if it is one of `from`. Atomic.
   *
   * @returns whether the state was changed
   */
  changeQuotaState(uuid: VolumeId, from: readonly QuotaState[], to: QuotaState): Promise<boolean>
  /** @returns whether the volume had another state before */
  changeState(uuid: VolumeId, to: VolumeState): Promise<boolean>
}
