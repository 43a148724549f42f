import { readFileSync } from 'node:fs'
import type { ConversationAnswer, ConversationEvent } from '../../src/dialects/conversation/conversation-answer.ts'
import type { OutputPart } from '../../src/dialects/conversation/conversation-parts.ts'
import type { ConversationRequest } from '../../src/dialects/conversation/conversation-request.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'
import { messagesTranslation } from '../../src/dialects/messages/messages-translation.ts'
import type { AnswerContext, WriteRequestOptions } from '../../src/dialects/translation.ts'

export const conversation = (fields: Partial<ConversationRequest> = {}): ConversationRequest => ({
  dialect: 'chat',
  stream: false,
  turns: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }], at: 'messages[0]' }],
  tools: [],
  settings: {},
  names: {},
  extra: {},
  ...fields,
})

export const writeOptions = (fields: Partial<WriteRequestOptions> = {}): WriteRequestOptions => ({
  model: 'claude-opus-4-6',
  customTools: false,
  defaultMaxTokens: 8192,
  reasoning: 'adaptive',
  cacheBreakpoints: false,
  ...fields,
})

export const answerContext = (fields: Partial<AnswerContext> = {}): AnswerContext => ({
  requested: {},
  request: conversation(),
  customAsFunctions: new Set(),
  now: 1_700_000_000,
  newId: () => 'new',
  ...fields,
})

/** Writes a request and returns its body. */
export const written = (fields: Partial<ConversationRequest> = {}, options: Partial<WriteRequestOptions> = {}) =>
  messagesTranslation.writeRequest(conversation(fields), writeOptions(options)).body

/** Parses the text of server-sent events. */
export const eventsIn = (text: string): readonly JsonObject[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.split('\ndata: ')[1] ?? ''))

/** Reads a stream. */
export function readAll(events: readonly JsonObject[], context = answerContext()): readonly ConversationEvent[] {
  const reader = messagesTranslation.readEvents(context)
  return [...events.flatMap((event) => reader.read(String(event.type), event)), ...reader.end()]
}

/** Joins the steps of a stream, whose additions have to equal its complete parts, to an answer. */
export function joined(events: readonly ConversationEvent[]): Omit<ConversationAnswer, 'created'> {
  const content: OutputPart[] = []
  const texts = new Map<number, string>()
  let head = { id: '', model: '' }
  let end: Partial<ConversationAnswer> = {}
  for (const event of events) {
    if (event.type === 'start') head = { id: event.id, model: event.model }
    if (event.type === 'text') texts.set(event.index, (texts.get(event.index) ?? '') + event.text)
    if (event.type === 'part-end') {
      content[event.index] = event.part
      const shown = textOf(event.part)
      const added = texts.get(event.index) ?? ''
      if (shown !== added && event.part.type !== 'reasoning') throw new Error(`'${added}' is not '${shown}'`)
    }
    if (event.type === 'finish') {
      const { type: _, ...fields } = event
      end = fields
    }
  }
  return { ...head, content, ending: { reason: 'stop' }, ...end }
}

function textOf(part: OutputPart): string {
  if (part.type === 'tool-call') return part.input
  return part.type === 'text' || part.type === 'refusal' ? part.text : ''
}

export const fixtureNames = ['text', 'parallel-tools', 'images', 'thinking', 'web-search'] as const

/** An answer of Anthropic, whole and as a stream. */
export const fixture = (
  name: (typeof fixtureNames)[number],
): { readonly messages: JsonObject; readonly message: JsonObject; readonly events: readonly JsonObject[] } =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'))
