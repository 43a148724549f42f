import * as v from 'valibot'

const message = v.object({
  role: v.picklist(['user', 'assistant']),
  content: v.string(),
  /** What is said below it: how many tokens it took, or how it ended. */
  note: v.exactOptional(v.string()),
})

const conversation = v.array(message)

export type Message = v.InferOutput<typeof message>

/** What the tab has kept; nothing where it is of another version. */
export function readConversation(kept: unknown): readonly Message[] | undefined {
  const result = v.safeParse(conversation, kept)
  return result.success ? result.output : undefined
}
