import type { AnswerUsage } from '../../chat/answer-usage.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import type { AnswerEnding, ConversationUsage } from '../conversation/conversation-answer.ts'
import type { OutputPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import type { ConversationRequest, ToolResult, Turn } from '../conversation/conversation-request.ts'
import { present } from '../json-values.ts'
import type { KnownPages } from './cited-pages.ts'
import type { EndedSearch } from './model-searches.ts'
import type { RoundTokens } from './round-tokens.ts'
import type { SearchableRequest } from './searchable-request.ts'

/** The searches that all attempts at one request may still make. */
export interface SearchAllowance {
  left: number
}

/** The requests of one answer whose model searches, one after the other. */
export class SearchRounds {
  readonly #searchable: SearchableRequest
  readonly #maxRounds: number
  readonly #allowance: SearchAllowance
  readonly #tokens: RoundTokens
  readonly #pages = new Map<string, string>()
  #turns: readonly Turn[]
  #rounds = 0
  #searches = 0
  #isAsking = true
  #usage: ConversationUsage | 'none' | 'unknown' = 'none'

  constructor(
    searchable: SearchableRequest,
    { maxRounds }: ModelSearch['bounds'],
    allowance: SearchAllowance,
    tokens: RoundTokens,
  ) {
    this.#searchable = searchable
    this.#tokens = tokens
    this.#maxRounds = maxRounds
    this.#allowance = allowance
    this.#turns = searchable.request.turns
  }

  /** The pages that were found so far. */
  get pages(): KnownPages {
    return this.#pages
  }

  /** What the rounds that have ended have used, with the searches after them. `undefined` before the end of the first one. */
  get spent(): AnswerUsage | undefined {
    const { total } = this.#tokens
    return total && this.#searches > 0 ? { ...total, searches: (total.searches ?? 0) + this.#searches } : total
  }

  /** The number of searches that the gateway has made. */
  get searches(): number {
    return this.#searches
  }

  /** Whether the upstream works on a round. Between two rounds, the gateway searches. */
  get isAsking(): boolean {
    return this.#isAsking
  }

  /** The request of the next round. */
  get request(): ConversationRequest {
    const { request, name } = this.#searchable
    const { toolChoice, ...rest } = { ...request, turns: this.#turns }
    if (this.#maySearch) {
      const isMet = toolChoice?.type === 'required' || (toolChoice?.type === 'tool' && toolChoice.name === name)
      return toolChoice && !(isMet && this.#rounds > 0) ? { ...rest, toolChoice } : rest
    }
    const others = request.tools.filter((tool) => tool.name !== name)
    // Some upstreams refuse calls of earlier turns where no tool is offered.
    if (others.every(({ type }) => type === 'hosted')) return { ...rest, toolChoice: { type: 'none' } }
    return { ...rest, tools: others, ...(toolChoice?.type === 'tool' && toolChoice.name !== name && { toolChoice }) }
  }

  isSearch(part: OutputPart): part is ToolCallPart {
    return part.type === 'tool-call' && part.name === this.#searchable.name && part.namespace === undefined
  }

  /**
   * Ends a round, and counts its usage.
   *
   * @returns the searches to execute; none where the answer is complete
   */
  end(content: readonly OutputPart[], usage: ConversationUsage | undefined): readonly ToolCallPart[] {
    this.#usage = sumOf(this.#usage, usage)
    this.#tokens.add(content, usage)
    this.#isAsking = false
    const calls = content.filter((part) => this.isSearch(part))
    const hasOthers = content.some((part) => part.type === 'tool-call' && !this.isSearch(part))
    if (hasOthers || !this.#maySearch) return []
    const executed = calls.slice(0, this.#allowance.left)
    this.#allowance.left -= executed.length
    this.#searches += executed.length
    return executed
  }

  /** Adds the answer of a round and the results of its searches to the next request. */
  continue(content: readonly OutputPart[], searches: readonly EndedSearch[]): void {
    this.#rounds += 1
    this.#isAsking = true
    const said = content.filter(({ type }) => type === 'text' || type === 'reasoning').map(withoutAnnotations)
    const answer: Turn = { role: 'assistant', content: [...said, ...searches.map(({ call }) => call)], at: AT }
    this.#turns = [...this.#turns, answer, ...searches.map(resultOf)]
    for (const { part } of searches) for (const { url, title = '' } of part.results ?? []) this.#pages.set(url, title)
  }

  /** Returns the usage of all rounds; `undefined` where the upstream reports none. */
  get usage(): ConversationUsage | undefined {
    if (typeof this.#usage === 'string') return undefined
    return this.#searches === 0 ? this.#usage : { ...this.#usage, searches: this.#searches }
  }

  /** Returns the ending of the last round, whose searches were not executed. */
  endingOf(ending: AnswerEnding, content: readonly OutputPart[]): AnswerEnding {
    const hasCalls = content.some((part) => part.type === 'tool-call' && !this.isSearch(part))
    return ending.reason === 'tool-calls' && !hasCalls ? { reason: 'stop' } : ending
  }

  get #maySearch(): boolean {
    return this.#rounds < this.#maxRounds && this.#allowance.left > 0
  }
}

const AT = 'web_search'

const resultOf = ({ call: { callId }, text }: EndedSearch): ToolResult => ({
  role: 'tool',
  callId,
  kind: 'function',
  content: [{ type: 'text', text }],
  at: AT,
})

const withoutAnnotations = (part: OutputPart): OutputPart =>
  part.type === 'text' ? { type: 'text', text: part.text } : part

type Sum = ConversationUsage | 'none' | 'unknown'

function sumOf(sum: Sum, usage: ConversationUsage | undefined): Sum {
  if (sum === 'unknown' || usage === undefined) return 'unknown'
  if (sum === 'none') return usage
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    ...present({
      cachedTokens: added(sum.cachedTokens, usage.cachedTokens),
      cacheWriteTokens: added(sum.cacheWriteTokens, usage.cacheWriteTokens),
      reasoningTokens: added(sum.reasoningTokens, usage.reasoningTokens),
    }),
  }
}

const added = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : one + (other ?? 0)
