import * as v from 'valibot'
import { impairmentBounds } from '../../links/link-bounds.ts'
import { type Impairment, type Impairments, noImpairment } from '../../ports.ts'
import { fields, integer, number } from '../requests/fields.ts'

const percent = v.optional(number(...impairmentBounds.percent))
const milliseconds = v.optional(number(...impairmentBounds.milliseconds))

const impairment = fields({
  delay_ms: milliseconds,
  jitter_ms: milliseconds,
  loss_percent: percent,
  duplication_percent: percent,
  corruption_percent: percent,
  bandwidth_bps: v.optional(integer(...impairmentBounds.bandwidthBitsPerSecond)),
  queue_bytes: v.optional(integer(...impairmentBounds.queueBytes)),
})

/**
 * Impairments of both directions, as the instance sees them. A direction or field that is left out has no impairment.
 */
export const impairments = fields({ outgoing: v.optional(impairment), incoming: v.optional(impairment) })

type WireImpairment = v.InferOutput<typeof impairment>

const fromWireDirection = (wire: WireImpairment = {}): Impairment => ({
  delayMilliseconds: wire.delay_ms ?? noImpairment.delayMilliseconds,
  jitterMilliseconds: wire.jitter_ms ?? noImpairment.jitterMilliseconds,
  lossPercent: wire.loss_percent ?? noImpairment.lossPercent,
  duplicationPercent: wire.duplication_percent ?? noImpairment.duplicationPercent,
  corruptionPercent: wire.corruption_percent ?? noImpairment.corruptionPercent,
  bandwidthBitsPerSecond: wire.bandwidth_bps ?? noImpairment.bandwidthBitsPerSecond,
  queueBytes: wire.queue_bytes ?? noImpairment.queueBytes,
})

export const fromWireImpairments = ({ outgoing, incoming }: v.InferOutput<typeof impairments>): Impairments => ({
  outgoing: fromWireDirection(outgoing),
  incoming: fromWireDirection(incoming),
})

const toWireDirection = (direction: Impairment): Required<WireImpairment> => ({
  delay_ms: direction.delayMilliseconds,
  jitter_ms: direction.jitterMilliseconds,
  loss_percent: direction.lossPercent,
  duplication_percent: direction.duplicationPercent,
  corruption_percent: direction.corruptionPercent,
  bandwidth_bps: direction.bandwidthBitsPerSecond,
  queue_bytes: direction.queueBytes,
})

export const toWireImpairments = ({ outgoing, incoming }: Impairments): v.InferInput<typeof impairments> => ({
  outgoing: toWireDirection(outgoing),
  incoming: toWireDirection(incoming),
})
