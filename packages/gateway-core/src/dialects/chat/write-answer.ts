import type { ConversationAnswer } from '../conversation/conversation-answer.ts'
import type { OutputPart, TextPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr, present } from '../json-values.ts'
import type { AnswerContext } from '../translation.ts'
import { writeAnnotation } from './annotations.ts'
import { writeEnding } from './finish-reasons.ts'
import { usesFunctions, writeFunctionCall } from './legacy-functions.ts'
import { urlOf } from './media-source.ts'
import { reasoningFields } from './reasoning-fields.ts'
import { toolNames } from './tool-names.ts'
import { writeUsage } from './usage.ts'

/** Writes a completion with one choice. Texts are joined. Parts of the other dialects are left out, searches included. */
export function writeChatAnswer(answer: ConversationAnswer, { requested }: AnswerContext): JsonObject {
  const hasFunctions = usesFunctions(requested)
  const { id, created, model, content, ending, usage, serviceTier } = answer
  const texts = content.filter((part) => part.type === 'text')
  const logProbabilities = texts.flatMap((part) => part.logProbabilities ?? [])
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: writeMessage(content, texts, hasFunctions),
        logprobs: logProbabilities.length > 0 ? { content: logProbabilities, refusal: null } : null,
        finish_reason: writeEnding(ending, hasFunctions),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
    ...present({ service_tier: serviceTier }),
  }
}

function writeMessage(content: readonly OutputPart[], texts: readonly TextPart[], hasFunctions: boolean): JsonObject {
  const calls = content.filter((part) => part.type === 'tool-call')
  const refusals = content.filter((part) => part.type === 'refusal')
  const images = imagesOf(content)
  const annotations = annotationsOf(texts)
  const audio = content.find((part) => part.type === 'foreign' && part.name === 'audio')
  return {
    role: 'assistant',
    content: texts.length === 0 && calls.length > 0 ? null : texts.map(({ text }) => text).join(''),
    refusal: refusals.length > 0 ? refusals.map(({ text }) => text).join('') : null,
    ...reasoningFields(content.filter((part) => part.type === 'reasoning')),
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(audio?.type === 'foreign' && audio.dialect === 'chat' ? { audio: objectOr(audio.value).audio } : {}),
    ...writeCalls(calls.map(withArguments), hasFunctions),
  }
}

function writeCalls(calls: readonly ToolCallPart[], hasFunctions: boolean): JsonObject {
  const [first] = calls
  if (!first) return {}
  return hasFunctions
    ? { function_call: writeFunctionCall(first.name, first.input) }
    : { tool_calls: calls.map(writeToolCall) }
}

/** Writes the images of an answer, as OpenRouter has them. */
export function imagesOf(content: readonly OutputPart[]): readonly JsonObject[] {
  return content.flatMap((part) => {
    const url = part.type === 'image' ? urlOf(part.source) : undefined
    return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }]
  })
}

function annotationsOf(texts: readonly TextPart[]): readonly JsonObject[] {
  let before = 0
  return texts.flatMap(({ text, annotations = [] }) => {
    const start = before
    before += text.length
    return annotations.map((annotation) => writeAnnotation(annotation, start, text.length))
  })
}

/** Clients parse the arguments, also of a function without parameters. */
const withArguments = (call: ToolCallPart): ToolCallPart =>
  call.kind === 'function' && call.input === '' ? { ...call, input: '{}' } : call

const { nameOf } = toolNames([])

/** Writes a call. A client of chat completions has offered no namespaces, so a foreign one is part of the name. */
export function writeToolCall(call: ToolCallPart): JsonObject {
  const name = nameOf(call)
  return call.kind === 'custom'
    ? { id: call.callId, type: 'custom', custom: { name, input: call.input } }
    : { id: call.callId, type: 'function', function: { name, arguments: call.input } }
}
