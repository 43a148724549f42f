/** What an upstream answers in one dialect. All dialects answer with the same text. */
export interface Answers {
  readonly whole: Buffer
  /** The events of a stream. */
  readonly events: readonly Buffer[]
}

/** The tokens of a stream. */
export const TOKENS = 20
export const INPUT_TOKENS = 9
export const WHOLE_TEXT = 'word '.repeat(48)

export const tokenAt = (index: number): string => `token${index} `

/** The text of a whole stream. */
export const streamedText = Array.from({ length: TOKENS }, (_, index) => tokenAt(index)).join('')

/** Encodes an event whose name is its type. */
export const namedEvent = (fields: { readonly type: string; readonly [name: string]: unknown }): Buffer =>
  Buffer.from(`event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`)
