/** A problem in one of several texts. */
export interface Found {
  readonly rule: string
  /** The index of the text, from 0. */
  readonly index: number
  /** The position in the text, from 0. */
  readonly offset: number
  readonly message: string
}
