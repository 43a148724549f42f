import type { Annotation, OutputPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'

/** A step of an answer before its part has a number. */
export type Step =
  | { readonly type: 'part'; readonly part: OutputPart }
  | { readonly type: 'text'; readonly text: string; readonly logProbabilities?: readonly unknown[] }
  | { readonly type: 'summary'; readonly summary: number; readonly text: string }
  | { readonly type: 'annotation'; readonly annotation: Annotation }
  | { readonly type: 'part-end'; readonly part: OutputPart }

/** Reads the events of one item of an upstream. */
export interface ItemReader {
  read(type: string, event: JsonObject): readonly Step[]
  /** @param item the complete item; absent where the upstream sent none */
  end(item: JsonObject | undefined): readonly Step[]
}

/** The step that adds a text. Returns no step for an empty one. */
export function textStep(text: string, logProbabilities: readonly unknown[] = []): readonly Step[] {
  if (text === '' && logProbabilities.length === 0) return []
  return [{ type: 'text', text, ...(logProbabilities.length > 0 ? { logProbabilities } : {}) }]
}
