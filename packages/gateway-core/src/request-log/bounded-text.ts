import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { listOr, objectOr, objectsOf, textOf } from '../dialects/json-values.ts'
import { PART, type UnmaskedText } from './redacted-text.ts'

/** Collects the texts of JSON up to a number of characters, and reads no more than that. */
export class BoundedText {
  #most: number
  #text = ''
  #isFull = false

  constructor(most: number) {
    this.#most = most
  }

  get text(): string {
    return this.#text
  }

  /** Whether there was more text than is kept. */
  get isFull(): boolean {
    return this.#isFull
  }

  add(text: string): void {
    if (this.#isFull) return
    const left = this.#most - this.#text.length
    this.#isFull = text.length > left
    this.#text += this.#isFull ? text.slice(0, left) : text
  }

  /** Bounds what is added from now on, where it has no bound yet. */
  bound(most: number): void {
    if (this.#most === Number.POSITIVE_INFINITY) this.#most = this.#text.length + most
  }

  /** Begins a new line, where there is text of the same part before it. */
  newLine(): void {
    if (this.#text !== '' && !this.#text.endsWith('\n') && !this.#text.endsWith(PART)) this.add('\n')
  }

  /** Begins a new part of the same text. */
  newPart(): void {
    if (this.#text !== '') this.add(PART)
  }
}

/** Adds the texts of a message, an item or a part, in any dialect. What is not text is named by its type. */
export function addTexts(value: unknown, to: BoundedText): void {
  if (to.isFull) return
  if (typeof value === 'string') to.add(value)
  else if (Array.isArray(value)) addEach(value, to)
  else if (isObject(value)) addObject(value, to)
}

function addEach(values: readonly unknown[], to: BoundedText): void {
  let isAfterPart = false
  for (const value of values) {
    if (to.isFull) return
    const isPart = isTextPart(value)
    if (isPart && isAfterPart) to.newPart()
    else to.newLine()
    addTexts(value, to)
    isAfterPart = isPart
  }
}

const isTextPart = (value: unknown): boolean =>
  isObject(value) && typeof value.type === 'string' && typeof value.text === 'string'

function addObject(value: JsonObject, to: BoundedText): void {
  const { type, content, output, text, refusal, tool_calls: calls, name, arguments: given, input } = value
  if (type === 'thinking' || type === 'redacted_thinking' || type === 'reasoning') return
  if (typeof type === 'string' && callTypes.has(type)) {
    addCall(name, given ?? input, to)
    return
  }
  const own = type === 'document' ? documentTexts(value) : [text, refusal, content, output]
  const texts = own.filter((one) => one !== undefined && one !== null)
  if (texts.length === 0 && typeof type === 'string' && calls === undefined) to.add(`[${type}]`)
  addEach(texts, to)
  for (const call of objectsOf(calls)) {
    const { name: called, arguments: written, input: typed } = objectOr(call.function ?? call.custom)
    to.newLine()
    addCall(called, written ?? typed, to)
  }
}

/** Returns the texts of a document that upstreams get as text. */
function documentTexts({ source, title, context }: JsonObject): readonly unknown[] {
  const { type, data, content } = objectOr(source)
  if (type === 'text') return [title, context, data]
  return type === 'content' ? [title, context, content] : []
}

const callTypes: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'tool_use', 'server_tool_use'])

function addCall(name: unknown, given: unknown, to: BoundedText): void {
  to.add(`[call ${textOf(name) ?? ''}] `)
  if (typeof given === 'string') to.add(given)
  else addJson(given, to)
}

/** Writes JSON until the text is full. */
function addJson(value: unknown, to: BoundedText): void {
  if (to.isFull) return
  if (Array.isArray(value)) {
    to.add('[')
    for (const [index, one] of value.entries()) {
      if (to.isFull) return
      if (index > 0) to.add(',')
      addJson(one, to)
    }
    to.add(']')
  } else if (isObject(value)) {
    let separator = '{'
    for (const name in value) {
      if (to.isFull) return
      to.add(`${separator}${JSON.stringify(name)}:`)
      addJson(value[name], to)
      separator = ','
    }
    to.add(separator === '{' ? '{}' : '}')
  } else if (typeof value === 'string') {
    to.add(JSON.stringify(value))
  } else {
    to.add(String(value))
  }
}

/** Returns the texts of a whole answer: its choices, its items or its content. */
export function answerText({ choices, output, content }: JsonObject, most: number): BoundedText {
  const text = new BoundedText(most)
  if (Array.isArray(choices)) {
    // Chat completions have messages, and completions texts.
    addEach(
      choices.map((choice) => objectOr(choice).message ?? choice),
      text,
    )
  } else {
    addTexts(output ?? content, text)
  }
  return text
}

/** Returns the parts of a prompt, the newest first, each at most `most` characters, and together not much more. */
export function promptParts(body: JsonObject, most: number): PromptParts {
  const { messages, input, prompt, query, documents, system, instructions } = body
  const turns = [...listOr(messages), ...(Array.isArray(input) ? input : [])]
  const parts: UnmaskedText[] = []
  let left = most
  let isCut = false
  const add = (heading: unknown, value: unknown) => {
    if (value === undefined || value === null || isCut) return
    const text = new BoundedText(most)
    addTexts(value, text)
    if (text.text === '') return
    const whole = typeof heading === 'string' ? `${heading}: ${text.text}` : text.text
    parts.push({ text: whole, isCut: text.isFull })
    left -= text.text.length
    isCut = text.isFull || left < 0
  }
  for (let index = turns.length - 1; index >= 0 && !isCut; index -= 1) {
    const turn = turns[index]
    add(objectOr(turn).role, turn)
  }
  if (turns.length === 0) for (const one of [documents, query, prompt, input]) add(undefined, one)
  add('system', system ?? instructions)
  return { parts, isCut }
}

/** The parts of a prompt. */
export interface PromptParts {
  /** The newest first. */
  readonly parts: readonly UnmaskedText[]
  /** Whether older ones are missing. */
  readonly isCut: boolean
}
