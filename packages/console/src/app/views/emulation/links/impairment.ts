import type { Impairment, Link, LinkEnd } from './link.ts'

/** An impairment without effect. */
export const noImpairment: Impairment = {
  delay_ms: 0,
  jitter_ms: 0,
  loss_percent: 0,
  duplication_percent: 0,
  corruption_percent: 0,
  bandwidth_bps: 0,
  queue_bytes: 0,
}

/** One direction of a link: frames that leave an end, or that reach the only end. */
export interface Direction {
  /** `PC1 → Switch1`. */
  readonly name: string
  readonly end: LinkEnd
  readonly side: 'outgoing' | 'incoming'
}

/** Returns both directions of a link. */
export function directionsOf({ ends }: Link): readonly Direction[] {
  const [first, second] = ends
  if (!first) return []
  if (second) {
    return [
      { name: `${first.name} → ${second.name}`, end: first, side: 'outgoing' },
      { name: `${second.name} → ${first.name}`, end: second, side: 'outgoing' },
    ]
  }
  return [
    { name: `from ${first.name}`, end: first, side: 'outgoing' },
    { name: `to ${first.name}`, end: first, side: 'incoming' },
  ]
}

/** Returns the impairment of a direction. Absent fields have no effect. */
export function impairmentOf({ end, side }: Direction): Impairment {
  const reported = end.impairments[side]
  return {
    delay_ms: reported?.delay_ms ?? noImpairment.delay_ms,
    jitter_ms: reported?.jitter_ms ?? noImpairment.jitter_ms,
    loss_percent: reported?.loss_percent ?? noImpairment.loss_percent,
    duplication_percent: reported?.duplication_percent ?? noImpairment.duplication_percent,
    corruption_percent: reported?.corruption_percent ?? noImpairment.corruption_percent,
    bandwidth_bps: reported?.bandwidth_bps ?? noImpairment.bandwidth_bps,
    queue_bytes: reported?.queue_bytes ?? noImpairment.queue_bytes,
  }
}

/** Whether two impairments are equal. */
export const areEqual = (one: Impairment, other: Impairment): boolean =>
  one.delay_ms === other.delay_ms &&
  one.jitter_ms === other.jitter_ms &&
  one.loss_percent === other.loss_percent &&
  one.duplication_percent === other.duplication_percent &&
  one.corruption_percent === other.corruption_percent &&
  one.bandwidth_bps === other.bandwidth_bps &&
  one.queue_bytes === other.queue_bytes

/** Whether an impairment has no effect. The size of the queue alone has none. */
export const isUnimpaired = (impairment: Impairment): boolean =>
  areEqual({ ...impairment, queue_bytes: 0 }, noImpairment)

/** Summarises the impairments of a link for the label of its cable: `150 ms · 2 % lost`. Empty without impairments. */
export function impairmentSummary(link: Link): string {
  const directions = directionsOf(link).map(impairmentOf)
  const most = (pick: (impairment: Impairment) => number) => Math.max(0, ...directions.map(pick))
  const delay = most(({ delay_ms }) => delay_ms)
  const jitter = most(({ jitter_ms }) => jitter_ms)
  const rates = directions.map(({ bandwidth_bps }) => bandwidth_bps).filter((rate) => rate > 0)
  const parts = [
    (delay > 0 || jitter > 0) && `${delay}${jitter > 0 ? ` ± ${jitter}` : ''} ms`,
    most(({ loss_percent }) => loss_percent) > 0 && `${most(({ loss_percent }) => loss_percent)} % lost`,
    most(({ duplication_percent }) => duplication_percent) > 0 && 'duplicated',
    most(({ corruption_percent }) => corruption_percent) > 0 && 'corrupted',
    rates.length > 0 && formatRate(Math.min(...rates)),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Writes a rate in powers of 1,000: `1.5 Mbit/s`. */
export function formatRate(bitsPerSecond: number): string {
  if (bitsPerSecond >= 1e9) return `${bitsPerSecond / 1e9} Gbit/s`
  if (bitsPerSecond >= 1e6) return `${bitsPerSecond / 1e6} Mbit/s`
  return `${bitsPerSecond / 1000} kbit/s`
}
