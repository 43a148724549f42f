import { CallArguments, invalidArguments } from '../call-arguments.ts'
import type { ConversationAnswer, ConversationUsage } from '../conversation/conversation-answer.ts'
import type { OutputPart, ReasoningPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr } from '../json-values.ts'
import type { AnswerContext } from '../translation.ts'
import { encodedCallId } from './call-ids.ts'
import { citationOf, documentCitationsOf } from './citations.ts'
import { endingOf, tierOf } from './endings.ts'
import { searchId, searchResultOf } from './searches.ts'
import { shownReasoning, signatureOf } from './signatures.ts'
import { toolNames } from './tool-names.ts'
import { usageOf } from './usage.ts'

/** Writes a message. */
export function writeAnswer(answer: ConversationAnswer, context: AnswerContext): JsonObject {
  const { nameOf } = toolNames(context.request)
  const options = { nameOf, newId: context.newId, callArguments: new CallArguments() }
  return {
    ...messageHead(answer, context),
    content: answer.content.flatMap((part) => blocksOf(part, options)),
    ...endingOf(answer.ending, {
      calls: answer.content.some(({ type }) => type === 'tool-call'),
      refusal: answer.content.some(({ type }) => type === 'refusal'),
    }),
    usage: messageUsage(answer.usage, answer.serviceTier),
  }
}

export function messageHead(
  { id, model }: Pick<ConversationAnswer, 'id' | 'model'>,
  { newId }: Pick<AnswerContext, 'newId'>,
): JsonObject {
  const fixed = { type: 'message', role: 'assistant', container: null, diagnostics: null }
  return { id: messageId(id, newId), ...fixed, model }
}

function messageId(id: string, newId: () => string): string {
  if (id.startsWith('msg_')) return id
  return `msg_${id === '' ? newId() : encodedCallId(id)}`
}

export const messageUsage = (usage: ConversationUsage | undefined, serviceTier: string | undefined): JsonObject => ({
  ...usageOf(usage),
  cache_creation: null,
  inference_geo: null,
  service_tier: tierOf(serviceTier) ?? null,
  speed: null,
})

export interface AnswerBlockOptions {
  readonly nameOf: (tool: ToolCallPart) => string
  readonly newId: () => string
  readonly callArguments: CallArguments
}

/** Writes a part. Images and what only another dialect has are not shown. */
export function blocksOf(part: OutputPart, options: AnswerBlockOptions): readonly JsonObject[] {
  switch (part.type) {
    case 'text': {
      const citations = [...(part.annotations ?? []).map(citationOf), ...documentCitationsOf(part)]
      if (part.text === '' && citations.length === 0) return []
      // Without citations as Anthropic sends it: some clients refuse `null`, which its SDK promises.
      return [{ type: 'text', text: part.text, ...(citations.length > 0 ? { citations } : {}) }]
    }
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning':
      return reasoningBlocks(part)
    case 'tool-call':
      return [{ ...callHead(part, options), input: callInput(part, options) }]
    case 'search-call': {
      const result = searchResultOf(part)
      return [{ ...searchHead(part.id), input: { query: part.query } }, ...(result ? [{ ...result, ...called }] : [])]
    }
    case 'foreign':
      return part.dialect === 'messages' ? [objectOr(part.value)] : []
    case 'image':
      return []
  }
}

/** The model itself calls all tools: no other dialect has programs that do. */
const called = { caller: { type: 'direct' } }

export const callHead = (part: ToolCallPart, { nameOf, newId }: AnswerBlockOptions): JsonObject => ({
  type: 'tool_use',
  id: part.callId === '' ? `toolu_${newId()}` : encodedCallId(part.callId),
  name: nameOf(part),
  ...called,
})

export const searchHead = (id: string): JsonObject => ({
  type: 'server_tool_use',
  id: searchId(id),
  name: 'web_search',
  ...called,
})

export function reasoningBlocks(part: ReasoningPart): readonly JsonObject[] {
  if (part.redacted !== undefined) return [{ type: 'redacted_thinking', data: part.redacted }]
  if (!hasReasoning(part)) return []
  return [{ type: 'thinking', thinking: shownReasoning(part), signature: signatureOf(part) }]
}

export const hasReasoning = (part: ReasoningPart): boolean =>
  part.text !== '' || part.summary.length > 0 || part.signature !== undefined || part.encrypted !== undefined

function callInput({ kind, input }: ToolCallPart, { callArguments }: AnswerBlockOptions): JsonObject {
  return kind === 'custom' ? { input } : callArguments.parse(input).unwrapOr(invalidArguments(input))
}
