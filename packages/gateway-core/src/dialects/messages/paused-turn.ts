import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textIn, textOr } from '../json-values.ts'
import { given } from './fields.ts'
import { type MessageCounts, sumOfCounts, usageFrom, usageOf } from './usage.ts'

/** The answer of an upstream to one request of a turn. */
export interface TurnRound {
  readonly content: readonly JsonObject[]
  readonly counts: MessageCounts
  readonly stopReason: unknown
  readonly container: unknown
}

/** The most times that a turn is continued. */
const MOST = 5

/** Returns whether an upstream may pause its turn: only while it executes tools of its own. */
export const mayPause = ({ tools, mcp_servers: servers }: JsonObject): boolean =>
  listOr(servers).length > 0 || listOr(tools).some((tool) => (objectOr(tool).type ?? 'custom') !== 'custom')

/**
 * One turn of a messages upstream, which may pause amid many calls of its own tools. It continues where the client returns
 * what it has said so far.
 */
export class PausedTurn {
  readonly #body: JsonObject
  readonly #content: JsonObject[] = []
  #counts: MessageCounts = {}
  #continued = 0

  /** @param body the request of the first round */
  constructor(body: JsonObject) {
    this.#body = body
  }

  /** Adds a round. @returns the request of the next one; `undefined` where the turn ends */
  add({ content, counts, stopReason, container }: TurnRound): JsonObject | undefined {
    this.#counts = sumOfCounts(this.#counts, counts)
    for (const block of content) this.#content.push(block)
    if (stopReason !== 'pause_turn' || this.#continued >= MOST) return undefined
    const said = sendable(this.#content)
    if (said.length === 0) return undefined
    this.#continued += 1
    return {
      ...this.#body,
      ...given('container', this.#body.container ?? textIn(objectOr(container).id)),
      ...given('tool_choice', unforced(this.#body.tool_choice)),
      messages: [...listOr(this.#body.messages), { role: 'assistant', content: said }],
    }
  }

  get isContinued(): boolean {
    return this.#continued > 0
  }

  /** The content of all rounds. */
  get content(): readonly JsonObject[] {
    return this.#content
  }

  /** The input of all rounds, with the tokens of the cache. `undefined` where none was reported. */
  get inputTokens(): number | undefined {
    return usageFrom(this.#counts)?.inputTokens
  }

  /** The usage of all rounds. */
  get usage(): JsonObject {
    return usageOf(usageFrom(this.#counts))
  }
}

/** Anthropic refuses empty texts, and white space at the end. */
function sendable(content: readonly JsonObject[]): readonly JsonObject[] {
  const said = content.filter(({ type, text }) => type !== 'text' || textOr(text) !== '')
  const last = said.at(-1)
  if (last?.type !== 'text') return said
  const text = textOr(last.text).trimEnd()
  return [...said.slice(0, -1), ...(text === '' ? [] : [{ ...last, text }])]
}

/** A forced call was made before the pause, and another one must not be. */
function unforced(choice: unknown): unknown {
  const { type, disable_parallel_tool_use } = objectOr(choice)
  if (type !== 'any' && type !== 'tool') return choice
  return { type: 'auto', ...given('disable_parallel_tool_use', disable_parallel_tool_use) }
}
