import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { SvmId } from '../svms/svm.ts'
import type { QuotaState, Volume, VolumeField, VolumeId, VolumeState } from './volume.ts'

/** Where volumes are kept. Rejections mean that the store failed; an absent volume is `undefined`. */
export interface VolumeRepository {
  /** Adds the volume unless its SVM has one of that name already; answers the one that is kept. */
  register(volume: Volume): Promise<Volume>
  find(uuid: VolumeId): Promise<Volume | undefined>
  findByName(svm: SvmId, name: string): Promise<Volume | undefined>
  list(request: PageRequest<VolumeField>): Promise<Page<Volume>>
  count(query: Query<VolumeField>): Promise<number>
  /**
   * Changes the state only where it is one of `from`, in one atomic step.
   *
   * @returns whether it was changed
   */
  changeQuotaState(uuid: VolumeId, from: readonly QuotaState[], to: QuotaState): Promise<boolean>
  /** @returns whether the volume had another state before */
  changeState(uuid: VolumeId, to: VolumeState): Promise<boolean>
}
