import * as v from 'valibot'

/** The place of a body in its file. */
export interface ContentRange {
  /** Absent for `bytes *\/total`, whose body is empty. */
  readonly offset?: number
  readonly bytes: number
  readonly totalBytes: number
}

const RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/

/** Reads a `Content-Range` (RFC 9110) of a file whose size is known. */
export const contentRange: v.GenericSchema<string, ContentRange> = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const [, first, last, total] = RANGE.exec(dataset.value) ?? []
    const totalBytes = Number(total)
    const isInside = first === undefined || (Number(first) <= Number(last) && Number(last) < totalBytes)
    if (total === undefined || totalBytes < 1 || !isInside) {
      addIssue({ message: "must be 'bytes FIRST-LAST/TOTAL' with FIRST <= LAST < TOTAL, or 'bytes */TOTAL'" })
      return NEVER
    }
    if (first === undefined) return { bytes: 0, totalBytes }
    return { offset: Number(first), bytes: Number(last) - Number(first) + 1, totalBytes }
  }),
)
