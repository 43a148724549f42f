/** A problem on a line of a file. */
export interface Finding {
  readonly file: string
  /** The number of the line, from 1. */
  readonly line: number
  readonly rule: string
  readonly message: string
}
