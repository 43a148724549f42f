import * as v from 'valibot'

/** What the suite sends to the probe in another process: a gate to open, or a question with its number. */
export const suiteMessage = v.union([v.object({ open: v.string() }), v.object({ ask: v.number() })])

export type SuiteMessage = v.InferOutput<typeof suiteMessage>

/** What the probe sends: what a handler reports, or the answer to a question. */
export const hostMessage = v.union([
  v.object({ entry: v.string() }),
  v.object({ answer: v.number(), produced: v.number() }),
])

export type HostMessage = v.InferOutput<typeof hostMessage>
