import type { Job } from '../jobs/job.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { Qtree, QtreeChange, QtreeField } from './qtree.ts'

/** Where qtrees are kept. Rejections mean that the store failed; an absent qtree is `undefined`. */
export interface QtreeRepository {
  /** Adds the qtree that is the volume itself, id 0, unless it is kept already. */
  registerVolume(qtree: Qtree): Promise<void>
  /**
   * Adds a qtree under the lowest id of its volume that is free, from 1 on, with the job that makes its directory, in one
   * atomic step. `jobOf` may be called several times; the job of its last call is the one that is kept.
   *
   * @returns the qtree with its id, `taken` when the volume has one of that name, `full` at {@link MAXIMUM_QTREES}
   */
  create(qtree: Omit<Qtree, 'id'>, jobOf?: (created: Qtree) => Job): Promise<Qtree | 'taken' | 'full'>
  find(volume: VolumeId, id: number): Promise<Qtree | undefined>
  findByName(volume: VolumeId, name: string): Promise<Qtree | undefined>
  list(request: PageRequest<QtreeField>): Promise<Page<Qtree>>
  count(query: Query<QtreeField>): Promise<number>
  /** @returns the changed qtree, `taken` when the volume has another one of the new name, `undefined` when absent */
  update(volume: VolumeId, id: number, change: QtreeChange): Promise<Qtree | 'taken' | undefined>
  /** @returns the qtree as it was */
  remove(volume: VolumeId, id: number): Promise<Qtree | undefined>
}
