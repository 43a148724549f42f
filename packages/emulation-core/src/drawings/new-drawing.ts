import type { ProjectId } from '../projects/project.ts'
import type { DrawingId } from './drawing.ts'

/** The fields of a new drawing. Bounds are those of `Drawing`. */
export interface NewDrawing {
  readonly projectId: ProjectId
  /**
   * The id of an existing drawing of the same project returns that drawing unchanged. An id of another project fails with
   * `drawing-id-taken`.
   *
   * @default a new id
   */
  readonly id?: DrawingId
  /** @default 0 */
  readonly x?: number
  /** @default 0 */
  readonly y?: number
  /** @default 1 */
  readonly z?: number
  /** @default 0 */
  readonly rotation?: number
  /** @default false */
  readonly locked?: boolean
  /** One that is not an SVG document, or that could run or load something, fails with `drawing-svg-refused`. */
  readonly svg: string
}

/** Changes of a drawing. Fields that are left out stay. */
export type DrawingUpdate = Partial<Omit<NewDrawing, 'projectId' | 'id'>>
