import * as v from 'valibot'

const message = v.object({
  role: v.picklist(['user', 'assistant']),
  content: v.string(),
  /** Shown below the message: its tokens, or how it ended. */
  note: v.exactOptional(v.string()),
})

const conversation = v.array(message)

export type Message = v.InferOutput<typeof message>

/** Reads the stored messages; `undefined` when another version has stored them. */
export function readConversation(kept: unknown): readonly Message[] | undefined {
  const result = v.safeParse(conversation, kept)
  return result.success ? result.output : undefined
}
