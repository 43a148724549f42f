/** What is wrong in one of several texts. */
export interface Found {
  readonly rule: string
  /** Which of the texts, from 0. */
  readonly index: number
  /** Where in the text, from 0. */
  readonly offset: number
  readonly message: string
}
