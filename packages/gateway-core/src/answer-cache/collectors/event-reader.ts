import type { JsonObject } from '../../dialects/dialect.ts'

/** Assembles the events of one stream as the whole answer to the same request would be. */
export interface EventReader {
  /** About the characters that it has kept so far. */
  readonly characters: number
  /** @returns whether the answer can still be assembled */
  read(event: JsonObject): boolean
  /** @returns `undefined` for an answer that is incomplete */
  answer(): JsonObject | undefined
}
