import type { Job } from '../jobs/job.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { Qtree, QtreeChange, QtreeField } from './qtree.ts'

/** The store of qtrees. A rejection means that the store failed. An absent qtree is `undefined`. */
export interface QtreeRepository {
  /** Adds the qtree with id 0, which is the volume itself, unless it is stored. */
  registerVolume(qtree: Qtree): Promise<void>
  /**
   * Adds a qtree under the lowest free id of its volume, from 1 on, together with the job that creates its directory.
   * Atomic. `jobOf` may be called several times, and the job of its last call is added.
   *
   * @returns the qtree with its id, `taken` when the volume has one of that name, `full` at {@link MAXIMUM_QTREES}
   */
  create(qtree: Omit<Qtree, 'id'>, jobOf?: (created: Qtree) => Job): Promise<Qtree | 'taken' | 'full'>
  /** Returns a qtree by its id, or `undefined`. Id 0 is the volume itself. */
  find(volume: VolumeId, id: number): Promise<Qtree | undefined>
  /** Returns the qtree of the volume with exactly that name, or `undefined`. */
  findByName(volume: VolumeId, name: string): Promise<Qtree | undefined>
  /** Returns one page of the qtrees of all volumes, including those with id 0. */
  list(request: PageRequest<QtreeField>): Promise<Page<Qtree>>
  /** Counts the qtrees of all volumes that match, including those with id 0. */
  count(query: Query<QtreeField>): Promise<number>
  /**
   * Changes the given members. Atomic, so that a name stays unique in its volume.
   *
   * @returns the changed qtree, `undefined` when it is absent, or `taken`, with nothing changed, when another qtree of
   *   the volume has the new name
   */
  update(volume: VolumeId, id: number, change: QtreeChange): Promise<Qtree | 'taken' | undefined>
  /** Removes a qtree and frees its id. Its rules stay. @returns the removed qtree, or `undefined` */
  remove(volume: VolumeId, id: number): Promise<Qtree | undefined>
}
