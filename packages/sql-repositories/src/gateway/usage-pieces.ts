import { spans } from './usage-sums.ts'

/** A part of a period whose usage is read from single records, or from sums of one span. */
export interface UsagePiece {
  readonly from: number
  readonly to: number
  /** Length of the sums in milliseconds. Absent for single records. */
  readonly span?: number
}

/**
 * Splits a period into whole days, whole hours next to them, and single records at the ends, each less than an hour.
 *
 * @param lengths the spans of sums that may be used, each a multiple of the one before
 */
export function usagePieces(from: number, to: number, lengths: readonly number[] = spans): readonly UsagePiece[] {
  return split(from, to, lengths)
}

function split(from: number, to: number, [span, ...larger]: readonly number[], own?: number): readonly UsagePiece[] {
  if (from >= to) return []
  const piece = (start: number, end: number): readonly UsagePiece[] =>
    start < end ? [{ from: start, to: end, ...(own === undefined ? {} : { span: own }) }] : []
  if (span === undefined) return piece(from, to)
  const [first, last] = [Math.ceil(from / span) * span, Math.floor(to / span) * span]
  if (first >= last) return piece(from, to)
  return [...piece(from, first), ...split(first, last, larger, span), ...piece(last, to)]
}
