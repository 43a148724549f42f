import * as v from 'valibot'
import {
  type Bounds,
  MAX_DEVICE,
  MAX_HOST,
  MAX_PATH,
  nonEmptyLineWithin,
  portSchema,
  wholeWithin,
  within,
} from '../bounds.ts'

/** The bounds of impairments. */
export const impairmentBounds = {
  milliseconds: [0, 60_000],
  percent: [0, 100],
  bandwidthBitsPerSecond: [0, 1_000_000_000_000],
  queueBytes: [0, 2 ** 30],
} as const satisfies Readonly<Record<string, Bounds>>

const percent = within(...impairmentBounds.percent)
const time = within(...impairmentBounds.milliseconds)
const impairment = v.object({
  delayMilliseconds: time,
  jitterMilliseconds: time,
  lossPercent: percent,
  duplicationPercent: percent,
  corruptionPercent: percent,
  bandwidthBitsPerSecond: wholeWithin(...impairmentBounds.bandwidthBitsPerSecond),
  queueBytes: wholeWithin(...impairmentBounds.queueBytes),
})

/** Impairments and link state of a connection. */
export const connectionFields = {
  impairments: v.optional(v.object({ outgoing: impairment, incoming: impairment })),
  linkUp: v.optional(v.boolean()),
}

const device = nonEmptyLineWithin(MAX_DEVICE)
const file = nonEmptyLineWithin(MAX_PATH)

export const nioSchema = v.variant('type', [
  v.object({
    type: v.literal('udp'),
    localPort: portSchema,
    remoteHost: nonEmptyLineWithin(MAX_HOST),
    remotePort: portSchema,
  }),
  v.object({ type: v.picklist(['generic-ethernet', 'linux-ethernet', 'tap']), device }),
  v.object({ type: v.literal('unix'), localFile: file, remoteFile: file }),
  v.object({ type: v.literal('vde'), controlFile: file, localFile: file }),
  v.object({ type: v.literal('null') }),
])

/** The number of an adapter or port. */
export const nicNumberSchema = wholeWithin(0, 999_999_999)

/** A `NicAddress`. A NIC that the instance does not have is an error of the operations. */
export const nicSchema = v.object({ adapter: nicNumberSchema, port: nicNumberSchema })
