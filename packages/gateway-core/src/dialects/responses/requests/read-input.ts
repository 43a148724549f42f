import { isObject } from '../../../chat/is-object.ts'
import { invalidParameter, unsupportedParameter } from '../../../providers/refused-parameter.ts'
import type { ForeignPart } from '../../conversation/conversation-parts.ts'
import type { Turn } from '../../conversation/conversation-request.ts'
import type { JsonObject } from '../../dialect.ts'
import { listOr, textOf } from '../../json-values.ts'
import { readCall } from '../items/call-items.ts'
import { readReturnedReasoning } from '../items/reasoning-items.ts'
import { readSearch } from '../items/search-items.ts'
import { readModelContent, readResultContent, readSystemContent, readUserContent } from './read-content.ts'
import { TurnList } from './turn-list.ts'

/** Reads `instructions` and `input`. Items of the model that follow each other are one turn. */
export function readTurns({ instructions, input }: JsonObject): readonly Turn[] {
  const list = new TurnList()
  if (typeof instructions === 'string') addInstructions(list, instructions)
  else addItems(list, instructions, 'instructions')
  if (typeof input === 'string') list.add(userTurn(readUserContent(input, 'input'), 'input'))
  else addItems(list, input, 'input')
  return list.turns
}

function addInstructions(turns: TurnList, text: string): void {
  const at = 'instructions'
  if (text !== '') turns.add({ role: 'system', content: [{ type: 'text', text, at }], at })
}

function addItems(turns: TurnList, items: unknown, at: string): void {
  for (const [index, item] of listOr(items).entries()) addItem(turns, item, `${at}[${index}]`)
}

const userTurn = (content: Extract<Turn, { role: 'user' }>['content'], at: string): Turn => ({
  role: 'user',
  content,
  at,
})

function addItem(turns: TurnList, item: unknown, at: string): void {
  if (!isObject(item)) throw invalidParameter(at, `'${at}' must be an object.`)
  switch (item.type ?? impliedType(item)) {
    case 'message':
      addMessage(turns, item, at)
      return
    case 'reasoning':
      turns.addModelParts([readReturnedReasoning(item, turns.seals, at)], at)
      return
    case 'function_call':
    case 'custom_tool_call':
      turns.addModelParts([readCall(item, undefined, at)], at)
      return
    case 'function_call_output':
    case 'custom_tool_call_output':
      turns.add(readResult(item, at))
      return
    case 'web_search_call':
      turns.addModelParts([readSearch(item, at) ?? foreign(item, at)], at)
      return
    case 'item_reference':
      throw unsupportedParameter(at, 'An item reference is supported only where the gateway has stored the item.')
    case 'additional_tools':
      return
    default:
      addForeign(turns, item, at)
  }
}

const impliedType = (item: JsonObject): string => (item.role === undefined ? 'item_reference' : 'message')

function addMessage(turns: TurnList, { role, content }: JsonObject, at: string): void {
  const place = `${at}.content`
  if (role === 'assistant') turns.addModelParts(readModelContent(content, place), at)
  else if (role === 'user') turns.add(userTurn(readUserContent(content, place), at))
  else if (role === 'system') turns.add({ role, content: readSystemContent(content, place), at })
  else if (role === 'developer') {
    turns.add({ role: 'system', developer: true, content: readSystemContent(content, place), at })
  } else throw invalidParameter(`${at}.role`, "The role must be 'user', 'assistant', 'system' or 'developer'.")
}

function readResult(item: JsonObject, at: string): Turn {
  const callId = textOf(item.call_id)
  if (callId === undefined) throw invalidParameter(`${at}.call_id`, `'${at}' must have a 'call_id'.`)
  return {
    role: 'tool',
    callId,
    kind: item.type === 'function_call_output' ? 'function' : 'custom',
    content: readResultContent(item.output, `${at}.output`),
    // The only place of the dialect for a call that failed.
    ...(item.status === 'incomplete' ? { isError: true } : {}),
    at,
  }
}

/** Items that a client makes, unlike calls, which the model makes. */
const CLIENTS_ITEM = /_(?:output|response|trigger|update)$/

function addForeign(turns: TurnList, item: JsonObject, at: string): void {
  const part = foreign(item, at)
  if (CLIENTS_ITEM.test(part.name)) turns.add(userTurn([part], at))
  else turns.addModelParts([part], at)
}

const foreign = (item: JsonObject, at: string): ForeignPart => ({
  type: 'foreign',
  dialect: 'responses',
  name: textOf(item.type)?.slice(0, 64) ?? 'unknown',
  value: item,
  at,
})
