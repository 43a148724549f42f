import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textOr } from '../json-values.ts'
import { jsonLength } from '../requests/json-length.ts'

/** What of a request of messages has tokens. */
export interface PromptTexts {
  readonly texts: readonly string[]
  readonly messages: number
  /** Images and documents whose texts are unknown. */
  readonly attachments: number
}

/** Collects what of a request of messages has tokens. */
export function promptTexts(body: JsonObject): PromptTexts {
  const texts: string[] = []
  const messages = listOr(body.messages).map(objectOr)
  let attachments = 0
  let encoded = 0
  const add = (content: unknown): void => {
    if (typeof content === 'string') texts.push(content)
    else for (const block of listOr(content)) addBlock(objectOr(block))
  }
  const addJson = (value: unknown): void => {
    encoded += jsonLength(value)
    for (const text of encoded <= MOST_ENCODED ? [JSON.stringify(value)] : textsIn(value)) texts.push(text)
  }
  const addBlock = (block: JsonObject): void => {
    switch (block.type) {
      case 'text':
        texts.push(textOr(block.text))
        break
      case 'thinking':
        texts.push(textOr(block.thinking))
        break
      case 'tool_result':
      case 'search_result':
        addResult(block)
        break
      case 'image':
        attachments += 1
        break
      case 'document':
        addDocument(objectOr(block.source))
        break
      case 'redacted_thinking':
        texts.push(textOr(block.data))
        break
      default:
        addJson(block.input ?? block.content ?? '')
    }
  }
  const addResult = ({ content }: JsonObject): void => {
    if (typeof content === 'string') texts.push(content)
    for (const block of listOr(content).map(objectOr)) {
      if (block.type === 'text') texts.push(textOr(block.text))
      else if (block.type === 'document') addDocument(objectOr(block.source))
      else attachments += 1
    }
  }
  const addDocument = (source: JsonObject): void => {
    if (source.type === 'text') texts.push(textOr(source.data))
    else if (source.type === 'content') addResult(source)
    else attachments += 1
  }
  add(body.system)
  for (const { content } of messages) add(content)
  if (listOr(body.tools).length > 0) addJson(body.tools)
  return { texts, messages: messages.length, attachments }
}

/** The most characters of JSON that are encoded. Of values beyond them only the texts count. */
const MOST_ENCODED = 2 ** 20

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one)
  else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      yield name
      yield* textsIn(one)
    }
  }
}
