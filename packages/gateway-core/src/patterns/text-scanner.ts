/** A part of a text that a pattern has matched. */
export interface PatternMatch {
  /** The name of the pattern. */
  readonly name: string
  /** In UTF-16 code units. */
  readonly start: number
  /** After its last code unit. */
  readonly end: number
}

/** The part of a text that is known, and needed. */
export interface TextWindow {
  readonly text: string
  /** The offset of `text` in the whole text. */
  readonly from: number
  /** Whether no more text follows. */
  readonly isLast: boolean
}

/**
 * Finds the matches of one pattern in a text that arrives in pieces. What it finds depends only on the text, not on the
 * pieces.
 */
export interface TextScanner {
  /**
   * Reports the matches that more text does not change, or only makes longer. Such a match is reported again with its
   * beginning.
   *
   * @returns the offset in the whole text before which no further match begins
   */
  scan(window: TextWindow, found: (match: PatternMatch) => void): number
}

/** Code units before an offset that decide whether a match may begin there. */
export const CONTEXT = 4
