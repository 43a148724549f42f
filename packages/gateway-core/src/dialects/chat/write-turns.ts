import type { FilePart, ImagePart } from '../conversation/conversation-parts.ts'
import type { ToolResult, Turn } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { present } from '../json-values.ts'
import type { RequestScope } from './request-scope.ts'
import { type AssistantTurn, writeAssistant } from './write-assistant.ts'
import { plain, writeInput, writePart } from './write-parts.ts'

/**
 * Writes the turns as messages. Successive turns of the model are one message, because all calls of tools that run in
 * parallel have to be in it. Results of tools are texts, so their images and documents follow in a message of the user,
 * after the last result. Developer messages of the other dialects become system messages, which all upstreams have.
 */
export function writeMessages(turns: readonly Turn[], scope: RequestScope): readonly JsonObject[] {
  const messages: JsonObject[] = []
  let attachments: JsonObject[] = []
  const flush = () => {
    if (attachments.length > 0) messages.push({ role: 'user', content: attachments })
    attachments = []
  }
  for (const turn of joined(turns)) {
    if (turn.role !== 'tool') flush()
    switch (turn.role) {
      case 'system': {
        const role = turn.developer && scope.request.dialect === 'chat' ? 'developer' : 'system'
        messages.push({ role, content: writeInput(turn.content, turn.at, scope) })
        break
      }
      case 'user':
        messages.push({ role: 'user', content: writeInput(turn.content, turn.at, scope), ...nameOf(turn) })
        break
      case 'assistant':
        messages.push(...writeAssistant(turn, scope))
        break
      case 'tool': {
        const { message, attached } = writeResult(turn, scope)
        messages.push(message)
        attachments.push(...attached)
      }
    }
  }
  flush()
  return messages
}

const nameOf = ({ name }: { readonly name?: string }): JsonObject => present({ name })

function joined(turns: readonly Turn[]): readonly Turn[] {
  const result: Turn[] = []
  let parts: AssistantTurn['content'][number][] = []
  for (const turn of turns) {
    const last = result.at(-1)
    if (turn.role !== 'assistant') result.push(turn)
    else if (last?.role === 'assistant') parts.push(...turn.content)
    else {
      parts = [...turn.content]
      result.push({ ...turn, content: parts })
    }
  }
  return result
}

interface WrittenResult {
  readonly message: JsonObject
  readonly attached: readonly JsonObject[]
}

function writeResult(turn: ToolResult, scope: RequestScope): WrittenResult {
  const attached: JsonObject[] = []
  const content: JsonObject[] = []
  for (const part of turn.content) {
    const written = writePart(part, part.at ?? turn.at, scope)
    if (isAttachment(part)) attached.push(...written)
    else content.push(...written)
  }
  if (attached.length > 0) {
    attached.unshift({ type: 'text', text: `The tool call ${turn.callId} returned:` })
    if (content.length === 0) content.push({ type: 'text', text: 'The result is in the next message of the user.' })
  }
  const message = { role: 'tool', tool_call_id: turn.callId, content: plain(content), ...errorMark(turn, scope) }
  return { message: { ...message, ...scope.mark(turn) }, attached }
}

const isAttachment = (part: ToolResult['content'][number]): part is ImagePart | FilePart =>
  part.type === 'image' || (part.type === 'file' && part.source.type !== 'text')

/** The text of a result says that it is an error. The mark is an extension; responses have it as a status. */
function errorMark({ isError }: ToolResult, { request, omitted }: RequestScope): JsonObject {
  if (isError !== true) return {}
  if (request.dialect === 'chat') return { is_error: true }
  omitted.add(request.dialect === 'responses' ? 'input.status' : 'is_error')
  return {}
}
