import { isObject } from '../../../chat/is-object.ts'
import { unsupportedParameter } from '../../../providers/refused-parameter.ts'
import type {
  FilePart,
  ForeignPart,
  InputPart,
  OutputPart,
  RefusalPart,
  TextPart,
} from '../../conversation/conversation-parts.ts'
import type { ConversationRequest, ToolResult, Turn } from '../../conversation/conversation-request.ts'
import { reasoningName } from '../../conversation/reasoning-name.ts'
import type { Dialect, JsonObject } from '../../dialect.ts'
import { present } from '../../json-values.ts'
import { writeCall } from '../items/call-items.ts'
import { writeFile, writeImage } from '../items/media.ts'
import { writeReasoning } from '../items/reasoning-items.ts'
import { writeSearch } from '../items/search-items.ts'
import { writeOutputPart } from '../items/text-parts.ts'
import { type Omissions, omitCacheMark } from './omissions.ts'

/** Writes the turns of a request as `instructions` and items. */
export class InputWriter {
  readonly items: JsonObject[] = []
  readonly #omitted: Omissions
  readonly #customTools: boolean
  readonly #dialect: Dialect

  constructor({ dialect }: ConversationRequest, customTools: boolean, omitted: Omissions) {
    this.#omitted = omitted
    this.#customTools = customTools
    this.#dialect = dialect
  }

  /** @throws ProviderFailure for what responses cannot carry */
  add(turn: Turn): void {
    switch (turn.role) {
      case 'system':
        this.#addMessage(
          turn.developer ? 'developer' : 'system',
          turn.content.map((part) => this.#inputText(part)),
        )
        return
      case 'user':
        this.#addUser(turn)
        return
      case 'assistant':
        this.#addModel(turn)
        return
      case 'tool':
        this.items.push(this.#result(turn))
    }
  }

  #addMessage(role: string, content: readonly JsonObject[]): void {
    this.items.push({ type: 'message', role, content })
  }

  #addUser(turn: Extract<Turn, { role: 'user' }>): void {
    this.#listName(turn)
    const content: JsonObject[] = []
    for (const part of turn.content) {
      // A foreign part is a whole item.
      if (part.type === 'foreign') this.items.push(ownItem(part, turn.at))
      else for (const written of this.#inputParts(part, turn.at)) content.push(written)
    }
    const isItem = turn.content.length > 0 && content.length === 0
    if (!isItem) this.#addMessage('user', content)
  }

  #addModel(turn: Extract<Turn, { role: 'assistant' }>): void {
    this.#listName(turn)
    if (turn.prefix) {
      throw unsupportedParameter(`${turn.at}.prefix`, 'This model cannot continue the beginning of an answer.')
    }
    let message: JsonObject[] | undefined
    for (const part of turn.content) {
      if (part.type === 'text' || part.type === 'refusal') {
        if (!message) {
          message = []
          this.#addMessage('assistant', message)
        }
        message.push(this.#said(part))
        continue
      }
      const item = this.#modelItem(part, turn.at)
      if (item) {
        message = undefined
        this.items.push(item)
      }
    }
  }

  /** Only chat completions have names of speakers. */
  #listName({ name }: { readonly name?: string }): void {
    if (name !== undefined) this.#omitted.add('messages.name')
  }

  #said(part: TextPart | RefusalPart): JsonObject {
    if (part.type === 'text') omitCacheMark(part, this.#omitted)
    return writeOutputPart(part)
  }

  #modelItem(part: Exclude<OutputPart, TextPart | RefusalPart>, at: string): JsonObject | undefined {
    switch (part.type) {
      case 'reasoning':
        if (part.encrypted !== undefined) {
          return { ...writeReasoning(part, part.id, false), encrypted_content: part.encrypted }
        }
        this.#omitted.add(reasoningName(this.#dialect, part))
        return undefined
      case 'tool-call':
        omitCacheMark(part, this.#omitted)
        return writeCall(part, part.id, this.#customTools)
      case 'search-call':
        return writeSearch(part, part.failed ? 'failed' : 'completed')
      case 'image':
        throw unsupportedParameter(part.at ?? at, 'An image of the model is not supported with this model.')
      case 'foreign':
        return ownItem(part, at)
    }
  }

  #result(turn: ToolResult): JsonObject {
    omitCacheMark(turn, this.#omitted)
    const isCustom = turn.kind === 'custom' && this.#customTools
    return present({
      type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
      call_id: turn.callId,
      output: this.#output(turn),
      status: turn.isError && !isCustom ? 'incomplete' : undefined,
    })
  }

  #output({ content, at }: ToolResult): string | readonly JsonObject[] {
    const [first] = content
    if (first === undefined) return ''
    if (content.length === 1 && first.type === 'text' && first.text !== '') {
      omitCacheMark(first, this.#omitted)
      return first.text
    }
    return content.flatMap((part) => this.#inputParts(part, at))
  }

  #inputParts(part: InputPart, at: string): readonly JsonObject[] {
    switch (part.type) {
      case 'text':
        return [this.#inputText(part)]
      case 'image':
        omitCacheMark(part, this.#omitted)
        return [writeImage(part)]
      case 'file':
        return this.#file(part, at)
      case 'audio':
        throw unsupportedParameter(part.at ?? at, 'Sound is not supported with this model.')
      case 'foreign':
        throw foreignRefusal(part, at)
    }
  }

  #inputText(part: TextPart): JsonObject {
    omitCacheMark(part, this.#omitted)
    return { type: 'input_text', text: part.text }
  }

  #file(part: FilePart, at: string): readonly JsonObject[] {
    omitCacheMark(part, this.#omitted)
    if (part.citations) {
      const place = `${part.at ?? at}.citations`
      throw unsupportedParameter(place, 'Citations of documents are not supported with this model.')
    }
    const file = writeFile(part)
    return part.context === undefined ? [file] : [{ type: 'input_text', text: part.context }, file]
  }
}

function ownItem(part: ForeignPart, at: string): JsonObject {
  if (part.dialect !== 'responses' || !isObject(part.value)) throw foreignRefusal(part, at)
  return part.value
}

const foreignRefusal = (part: ForeignPart, at: string): Error =>
  unsupportedParameter(part.at ?? at, `'${part.name}' is not supported with this model.`)
