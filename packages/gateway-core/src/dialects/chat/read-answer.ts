import { isObject } from '../../chat/is-object.ts'
import { isTooDeep } from '../../nesting.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import type { ConversationAnswer } from '../conversation/conversation-answer.ts'
import type { ImagePart, OutputPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { countIn, listOr, objectOr, present, textIn, textOr } from '../json-values.ts'
import type { AnswerContext } from '../translation.ts'
import { withAnnotations } from './annotations.ts'
import { asCalled, calledTools } from './call-tools.ts'
import { failureIn, readEnding } from './finish-reasons.ts'
import { mediaSourceOf } from './media-source.ts'
import { readReasoning, readThinking } from './read-parts.ts'
import { readCall } from './read-turns.ts'
import { readUsage } from './usage.ts'

/**
 * Reads the first choice of a completion, in the order reasoning, text, refusal, images and calls.
 *
 * @throws ProviderFailure for an answer without a message, and for one that the upstream could not complete
 */
export function readChatAnswer(answer: JsonObject, context: AnswerContext): ConversationAnswer {
  const choice = objectOr(listOr(answer.choices)[0])
  // What is passed on as it is has to be encoded again.
  if (!isObject(choice.message) || isTooDeep(answer)) {
    throw new ProviderFailure({ type: 'malformed', message: 'The upstream sent an answer that is not a completion.' })
  }
  const failure = failureIn(choice, false)
  if (failure) throw new ProviderFailure(failure)
  const content = readMessage(choice.message, choice.logprobs, context)
  const hasCalls = content.some(({ type }) => type === 'tool-call')
  return {
    id: textIn(answer.id) ?? `chatcmpl-${context.newId()}`,
    model: textOr(answer.model),
    created: countIn(answer.created) ?? context.now,
    content,
    ending: readEnding(choice.finish_reason, choice.stop_reason, hasCalls),
    ...present({ usage: readUsage(answer.usage), serviceTier: textIn(answer.service_tier) }),
  }
}

function readMessage(message: JsonObject, logprobs: unknown, context: AnswerContext): readonly OutputPart[] {
  const toolOf = calledTools(context)
  const refusal = textIn(message.refusal)
  const calls = listOr(message.tool_calls).map((value) => {
    const call = readCall(objectOr(value))
    const callId = call.callId === '' ? `call_${context.newId()}` : call.callId
    return { ...asCalled(call, toolOf(call.name, call.kind)), callId }
  })
  return [
    ...readReasoning(message),
    ...withLogProbabilities(withAnnotations(readContent(message.content), message.annotations), logprobs),
    ...(refusal === undefined ? [] : [{ type: 'refusal' as const, text: refusal }]),
    ...readImages(message.images),
    ...(isObject(message.audio) ? [audioPart(message.audio)] : []),
    ...calls,
  ]
}

const audioPart = (audio: JsonObject): OutputPart => ({
  type: 'foreign',
  dialect: 'chat',
  name: 'audio',
  value: { type: 'audio', audio },
})

/** Reads the content of an answer: a text, or Mistral's list with thinking. */
export function readContent(content: unknown): readonly OutputPart[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOr(content).map(objectOr)
  return parts.flatMap((part): readonly OutputPart[] => {
    if (part.type === 'thinking') return [readThinking(part)]
    if (part.type === 'refusal') return [{ type: 'refusal', text: textOr(part.refusal) }]
    if (part.type === 'image_url') return readImages([part])
    const text = textOr(part.text)
    return part.type === 'text' && text !== '' ? [{ type: 'text', text }] : []
  })
}

/** Reads images of an answer. What is not a URL is left out. */
export function readImages(values: unknown): readonly ImagePart[] {
  return listOr(values).flatMap((value) => {
    const { image_url: image } = objectOr(value)
    const source = mediaSourceOf(textOr(isObject(image) ? image.url : image))
    return source ? [{ type: 'image', source }] : []
  })
}

/** Gives the log probabilities of an answer to its first text. */
function withLogProbabilities(parts: readonly OutputPart[], logprobs: unknown): readonly OutputPart[] {
  const logProbabilities = listOr(objectOr(logprobs).content)
  const first = parts.findIndex(({ type }) => type === 'text')
  if (logProbabilities.length === 0 || first < 0) return parts
  return parts.map((part, index) => (index === first && part.type === 'text' ? { ...part, logProbabilities } : part))
}
