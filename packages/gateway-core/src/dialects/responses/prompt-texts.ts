import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'
import type { PromptTexts } from '../messages/prompt-texts.ts'

/** Members of items that are not read by the model, or only as a whole. */
const unread: ReadonlySet<string> = new Set(['type', 'id', 'call_id', 'status', 'role', 'detail', 'filename'])

/** Members with the bytes or the address of an attachment. */
const attached: ReadonlySet<string> = new Set(['image_url', 'file_data', 'file_url', 'file_id', 'data', 'result'])

/** Collects what of a request for responses has tokens. */
export function responsePromptTexts({ instructions, input, tools }: JsonObject): PromptTexts {
  const texts: string[] = []
  let messages = 0
  let attachments = 0
  /** Recurses as deep as the value, which its check has bounded. */
  const add = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) value.forEach(add)
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) addMember(name, one)
  }
  const addMember = (name: string, value: unknown): void => {
    if (unread.has(name)) return
    if (attached.has(name) && typeof value === 'string') attachments += 1
    else add(value)
  }
  for (const items of [instructions, input]) {
    messages += Array.isArray(items) ? items.length : Number(typeof items === 'string')
    add(items)
  }
  for (const tool of Array.isArray(tools) ? tools : []) texts.push(JSON.stringify(tool))
  return { texts, messages, attachments }
}
