/** How much worse than perfect a NIC's link is, each way on its own. */
export interface Impairments {
  /** Frames from the instance into the link. */
  readonly outgoing: Impairment
  /** Frames from the link to the instance. */
  readonly incoming: Impairment
}

/** How much worse than perfect one direction is. */
export interface Impairment {
  /** 0 to 60,000. */
  readonly delayMilliseconds: number
  /** Added to or taken from the delay, evenly spread; 0 to 60,000. Frames keep their order. */
  readonly jitterMilliseconds: number
  /** 0 to 100, as are the two below; each frame is drawn on its own. */
  readonly lossPercent: number
  readonly duplicationPercent: number
  /** One bit of the frame is flipped. */
  readonly corruptionPercent: number
  /** 0 sets no bound. */
  readonly bandwidthBitsPerSecond: number
  /** How much may wait for the bandwidth; what comes on top is dropped. 0 is 64 KiB. */
  readonly queueBytes: number
}

/** A perfect direction: nothing is delayed, lost or bounded. */
export const noImpairment: Impairment = {
  delayMilliseconds: 0,
  jitterMilliseconds: 0,
  lossPercent: 0,
  duplicationPercent: 0,
  corruptionPercent: 0,
  bandwidthBitsPerSecond: 0,
  queueBytes: 0,
}

/** A link that is perfect in both directions. */
export const noImpairments: Impairments = { outgoing: noImpairment, incoming: noImpairment }
