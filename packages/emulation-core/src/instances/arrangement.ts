/** Where a lab shows an instance, and when the start of the whole lab starts it. */
export interface Arrangement {
  /** In pixels from the middle of the scene, from -1,000,000 to 1,000,000. */
  readonly x?: number
  /** In pixels from the middle of the scene, from -1,000,000 to 1,000,000. */
  readonly y?: number
  /** The layer, from -1,000 to 1,000. Higher ones are drawn above lower ones. */
  readonly z?: number
  /** The name of a symbol that clients know, at most 255 characters. */
  readonly symbol?: string
  /** A colour as six hexadecimal digits after `#`. */
  readonly colour?: string
  readonly label?: Label
  /** Whether clients should not let people move it. */
  readonly locked?: boolean
  /** Instances with a lower number start first, those with the same number together. 0 to 1,000. @default 0 */
  readonly startOrder?: number
  /** How long the start of the lab waits before it starts this instance, from 0 to 3,600. @default 0 */
  readonly startDelaySeconds?: number
}

/** The text next to an instance, which is its name by default. */
export interface Label {
  /** At most 1,000 characters. @default the name of the instance */
  readonly text?: string
  /** In pixels from the instance, from -1,000,000 to 1,000,000. */
  readonly x?: number
  /** In pixels from the instance, from -1,000,000 to 1,000,000. */
  readonly y?: number
  /** In degrees clockwise, from -360 to 360. */
  readonly rotation?: number
  /** Declarations as in the `style` of SVG text, at most 1,000 characters. */
  readonly style?: string
}
