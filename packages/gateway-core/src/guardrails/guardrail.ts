import type { Promisable } from 'type-fest'
import type { GatewayCall } from '../caller.ts'

/** Which way a text goes: `input` to an upstream, `output` to a client. */
export type GuardedSide = 'input' | 'output'

/** What a check is about. */
export interface GuardrailContext extends Pick<GatewayCall, 'requestId' | 'caller'> {
  readonly side: GuardedSide
  /** The model as the client names it; empty where the request names none. */
  readonly model: string
  /** Aborts when the client disconnects, and when the time of the check has passed. */
  readonly signal: AbortSignal
  /** The end of what the client has of the same text already, at most 1,000 characters. Empty for a whole text. */
  readonly preceding: string
  /**
   * Has a moderation model of this gateway judge texts, apart from limits and budgets of the caller. The usage record has
   * no key. Rejects where the model does not answer.
   *
   * @param model `provider/model`, or an alias
   * @returns the `results` of the model, one for each text
   */
  moderate(model: string, texts: readonly string[]): Promise<readonly ModerationResult[]>
}

/** What a moderation model says of a text, by category. */
export interface ModerationResult {
  readonly flagged: boolean
  readonly categories: Readonly<Record<string, boolean>>
  /** From 0 to 1. */
  readonly scores: Readonly<Record<string, number>>
}

/** Categories are shown to clients and operators, so they must not contain parts of texts. */
export type GuardrailVerdict =
  | { readonly type: 'pass' }
  /** `message` replaces the usual one, and is shown to the client. */
  | { readonly type: 'block'; readonly category: string; readonly message?: string }
  /** `texts` replace those that were checked, one for each. */
  | { readonly type: 'mask'; readonly texts: readonly string[]; readonly categories: readonly string[] }
  /** Nothing changes, and an event is emitted. */
  | { readonly type: 'report'; readonly categories: readonly string[] }

/** What a guardrail has found in a stream. */
export interface GuardrailFinding {
  readonly type: 'block' | 'mask' | 'report'
  readonly category: string
}

/** A text that arrives in pieces. */
export interface GuardedText {
  /** Adds a piece. @returns what may be passed on, which must not depend on later pieces */
  push(piece: string): string
  /** Ends the text. @returns the rest */
  end(): string
}

/** Checks the texts of requests, of answers, or of both. */
export interface Guardrail {
  /** 1 to 64 characters of a-z, 0-9, `-` and `_`. Unique, and shown to clients. */
  readonly id: string
  readonly on: readonly GuardedSide[]
  /**
   * Checks all texts of a request, or of a whole answer, in their order. Streams are checked in steps, of one text each,
   * where the guardrail has no `open`.
   */
  check(texts: readonly string[], context: GuardrailContext): Promisable<GuardrailVerdict>
  /**
   * Checks a text of a stream as it arrives. It holds back what a match may need. What it returns in all must not depend
   * on the pieces. A finding `block` ends the answer.
   *
   * @default checked in steps by `check`
   */
  open?(context: GuardrailContext, found: (finding: GuardrailFinding) => void): GuardedText
  /** Whether it neither blocks nor masks, so that requests which it cannot read are not refused. @default false */
  readonly reportsOnly?: boolean
  /**
   * Whether `check` also gets structural values of requests, such as ids and names of functions, apart from the texts. They
   * cannot be masked: a verdict `mask` blocks. @default false
   */
  readonly checksStructure?: boolean
  /** The characters of a stream that are held back and checked together, from 100 to 100,000. @default 1,000 */
  readonly stepCharacters?: number
  /** How long a check may take, from 1 to 60,000. @default 5,000 */
  readonly timeoutMs?: number
  /** Whether what could not be checked is refused or passed on. @default 'refuse' */
  readonly onFailure?: 'refuse' | 'admit'
}
