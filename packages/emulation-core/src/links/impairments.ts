/** The impairments of a NIC's link, for each direction. */
export interface Impairments {
  /** Frames from the instance into the link. */
  readonly outgoing: Impairment
  /** Frames from the link to the instance. */
  readonly incoming: Impairment
}

/** The impairments of one direction. */
export interface Impairment {
  /** The time by which each frame is delayed, 0 to 60,000. */
  readonly delayMilliseconds: number
  /**
   * Varies the delay by up to this time in both directions, evenly distributed; 0 to 60,000. Frames keep their order.
   */
  readonly jitterMilliseconds: number
  /** The share of lost frames, 0 to 100. Each frame is decided independently. */
  readonly lossPercent: number
  /** The share of frames that are sent twice, 0 to 100. */
  readonly duplicationPercent: number
  /** The share of frames with one bit flipped, 0 to 100. */
  readonly corruptionPercent: number
  /** The most bits of frames in a second; over HTTP at most 1,000,000,000,000. 0 is unlimited. */
  readonly bandwidthBitsPerSecond: number
  /** The most bytes that wait for the bandwidth. Further frames are dropped. 0 is 64 KiB. Over HTTP at most 1 GiB. */
  readonly queueBytes: number
}

/** A direction without impairments. */
export const noImpairment: Impairment = {
  delayMilliseconds: 0,
  jitterMilliseconds: 0,
  lossPercent: 0,
  duplicationPercent: 0,
  corruptionPercent: 0,
  bandwidthBitsPerSecond: 0,
  queueBytes: 0,
}

/** A link without impairments in both directions. */
export const noImpairments: Impairments = { outgoing: noImpairment, incoming: noImpairment }
