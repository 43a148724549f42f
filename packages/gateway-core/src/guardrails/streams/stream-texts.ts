import type { JsonObject } from '../../dialects/dialect.ts'
import type { TextSlot } from '../texts/text-slots.ts'

/** A piece of a text in an event. */
export interface TextPiece {
  readonly slot: TextSlot
  /** That of the text, the same in all its events. */
  readonly key: string
  /** Whether the text is JSON, which is checked as a whole. */
  readonly isJson: boolean
  /** Returns an event with only the rest of the text. */
  readonly rest: (text: string) => JsonObject
}

/** How the events of one dialect carry texts. One is created for each stream. */
export interface StreamTexts {
  /** Returns the pieces of texts in an event. All other texts in it are whole. */
  pieces(event: JsonObject): readonly TextPiece[]
  /** Returns whether a text ends before an event, or with it where the event has a piece of it. */
  ends(event: JsonObject, key: string): boolean
  /** Returns whether an event reports that the stream has failed, so that its texts have no end. */
  fails(event: JsonObject): boolean
  /** Returns the part of an event whose texts are checked. */
  checked(event: JsonObject): unknown
  /** Returns whether an event has nothing but pieces, so that it is left out where they are empty. */
  isBare(event: JsonObject): boolean
  /** Reads an event as the client gets it. @returns the event, renumbered where its dialect numbers events */
  passed(event: JsonObject): JsonObject
  /** Returns the complete answer, where the event has it. */
  answerIn(event: JsonObject): JsonObject | undefined
  /** Returns whether an event is the last one of a complete answer. */
  isLast(event: JsonObject): boolean
  /** Returns the last events of an answer that was blocked. */
  blocked(): readonly JsonObject[]
  /** The data of the last event, where it is not JSON. */
  readonly end: string | undefined
  /** Whether later events repeat whole texts. */
  readonly repeats: boolean
  /** Whether events are named by their type. */
  readonly isNamed: boolean
}
