import type { Tagged } from 'type-fest'
import type { ProjectId } from '../projects/project.ts'

/** A UUID, compared with case. */
export type DrawingId = Tagged<string, 'DrawingId'>

/** A note, a shape or an image on the canvas of a project. */
export interface Drawing {
  readonly id: DrawingId
  readonly projectId: ProjectId
  /** The left edge on the canvas, whose zero is in the middle: a whole number from -1,000,000 to 1,000,000. */
  readonly x: number
  /** The upper edge on the canvas, downwards: a whole number from -1,000,000 to 1,000,000. */
  readonly y: number
  /** The layer: a whole number from -1,000 to 1,000. Higher layers cover lower ones. */
  readonly z: number
  /** Whole degrees clockwise, from -359 to 360. */
  readonly rotation: number
  /** Whether clients should not let their users move it. The server changes locked drawings too. */
  readonly locked: boolean
  /** An SVG document of 1 to 262,144 characters that runs and loads nothing. It is stored as it was sent. */
  readonly svg: string
  readonly createdAt: Date
  /** Increases by one with every stored change, from 0. */
  readonly revision: number
}

/** Identifies one drawing. Both parts must match. */
export interface DrawingReference {
  readonly projectId: ProjectId
  readonly id: DrawingId
}
