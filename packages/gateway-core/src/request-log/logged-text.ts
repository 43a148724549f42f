/** The texts of a request. */
export interface LoggedTexts {
  /** Present only where the host stores content, and the operation has texts. */
  readonly prompt?: LoggedText
  /** Present only where the host stores content, and the operation has texts. */
  readonly answer?: LoggedText
}

/** A text of a request or an answer. */
export interface LoggedText {
  readonly text: string
  /** Whether a part is missing: the beginning of a prompt, the end of an answer. */
  readonly truncated: boolean
}
