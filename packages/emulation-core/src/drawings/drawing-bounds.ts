import type { Bounds } from '../bounds.ts'

/** Of `x` and `y`. */
export const positionBounds = [-1_000_000, 1_000_000] as const satisfies Bounds

export const layerBounds = [-1000, 1000] as const satisfies Bounds

/** In degrees. */
export const rotationBounds = [-359, 360] as const satisfies Bounds

/** The most characters of the SVG of one drawing. */
export const MAX_SVG = 2 ** 18
