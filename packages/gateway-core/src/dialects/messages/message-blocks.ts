import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import { isTooDeep } from '../../nesting.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textOr } from '../json-values.ts'

interface OpenBlock {
  readonly place: unknown
  readonly block: JsonObject
  text: string
  thinking: string
  signature: string
  json: string
  readonly citations: unknown[]
}

/** Assembles the blocks of a streamed message as Anthropic sends them in a whole one. */
export class MessageBlocks {
  readonly #content: JsonObject[] = []
  #open: OpenBlock | undefined
  #characters = 0

  /** About the characters of the content so far. */
  get characters(): number {
    return this.#characters
  }

  /** Reads an event. @param length the characters of its data */
  read(event: JsonObject, length: number): void {
    if (event.type === 'content_block_start') this.#start(event.index, objectOr(event.content_block), length)
    else if (event.type === 'content_block_delta') this.#add(event.index, objectOr(event.delta))
    else if (event.type === 'content_block_stop' && this.#open?.place === event.index) this.#close()
  }

  /** Ends the message. */
  end(): readonly JsonObject[] {
    this.#close()
    return this.#content
  }

  #start(place: unknown, block: JsonObject, length: number): void {
    this.#close()
    this.#characters += length
    this.#open = { place, block, text: '', thinking: '', signature: '', json: '', citations: [] }
  }

  #add(place: unknown, { text, thinking, signature, partial_json: json, citation }: JsonObject): void {
    const open = this.#open
    if (open?.place !== place || !open) return
    open.text += textOr(text)
    open.thinking += textOr(thinking)
    open.signature += textOr(signature)
    open.json += textOr(json)
    if (isObject(citation)) open.citations.push(citation)
    this.#characters += textOr(text).length + textOr(thinking).length + textOr(json).length
  }

  #close(): void {
    if (this.#open) this.#content.push(wholeOf(this.#open))
    this.#open = undefined
  }
}

function wholeOf({ block, text, thinking, signature, json, citations }: OpenBlock): JsonObject {
  const input = json === '' ? undefined : parseJson(json)
  return {
    ...block,
    ...(text === '' ? {} : { text: textOr(block.text) + text }),
    ...(thinking === '' ? {} : { thinking: textOr(block.thinking) + thinking }),
    ...(signature === '' ? {} : { signature: textOr(block.signature) + signature }),
    ...(citations.length === 0 ? {} : { citations: [...listOr(block.citations), ...citations] }),
    ...(isObject(input) && !isTooDeep(input) ? { input } : {}),
  }
}
