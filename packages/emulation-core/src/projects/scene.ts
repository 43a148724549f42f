/** The drawing area of a lab, as clients show it. A field that is absent has its client's own default. */
export interface Scene {
  /** In pixels, from 100 to 1,000,000. */
  readonly width?: number
  /** In pixels, from 100 to 1,000,000. */
  readonly height?: number
  /** In percent, from 1 to 1,000. */
  readonly zoom?: number
  /** The distance of the lines to which nodes snap, in pixels, from 1 to 10,000. */
  readonly gridSize?: number
  /** The same for drawings. */
  readonly drawingGridSize?: number
  readonly showGrid?: boolean
  readonly snapToGrid?: boolean
  readonly showLayers?: boolean
  readonly showInterfaceLabels?: boolean
}
