/** What is wrong on a line of a file. */
export interface Finding {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly rule: string
  readonly message: string
}
