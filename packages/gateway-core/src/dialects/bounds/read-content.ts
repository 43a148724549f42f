import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textOf } from '../json-values.ts'

/** What a request has the model read besides its own text. */
export interface ReadContent {
  /** Images, each by its address, its id or its bytes. */
  images: number
  /** The characters of the bytes of images, which are not text. */
  imageCharacters: number
  /** The field of the first content whose size the request does not show. */
  hidden: string | undefined
  /** Whether the cache of the upstream may keep a part of the prompt for longer than 5 minutes. */
  hasLongCache: boolean
}

/** Parts whose text is in the request, as far as the model reads it. */
const shown: ReadonlySet<unknown> = new Set(
  (
    'text input_text output_text refusal summary_text reasoning_text thinking redacted_thinking reasoning tool_use ' +
    'server_tool_use mcp_tool_use function_call custom_tool_call computer_call local_shell_call local_shell_call_output ' +
    'shell_call shell_call_output apply_patch_call apply_patch_call_output web_search_call tool_search_call ' +
    'tool_search_output tool_reference search_result mcp_list_tools mcp_call mcp_approval_request mcp_approval_response'
  ).split(' '),
)

/** The members of a part that has parts itself. */
const nested: Readonly<Record<string, string>> = {
  message: 'content',
  tool_result: 'content',
  mcp_tool_result: 'content',
  function_call_output: 'output',
  custom_tool_call_output: 'output',
}

const images: ReadonlySet<unknown> = new Set(['image_url', 'input_image', 'image', 'computer_screenshot'])

/**
 * Reads what a request of any dialect has the model read. What the gateway does not hold, or what is compressed and may be
 * far longer than its bytes, is hidden: documents, sound, videos, references to what the upstream stores, and parts that
 * are not known.
 */
export function readContent(body: JsonObject): ReadContent {
  const content: ReadContent = { images: 0, imageCharacters: 0, hidden: undefined, hasLongCache: false }
  const { messages, input, system, instructions, tools } = body
  for (const name of ['previous_response_id', 'conversation']) {
    if (body[name] !== undefined && body[name] !== null) hide(content, name)
  }
  readMark(content, body)
  readParts(content, system, 'system')
  readParts(content, instructions, 'instructions')
  readParts(content, input, 'input')
  for (const [index, message] of listOr(messages).entries()) {
    const at = `messages[${index}]`
    if (!isObject(message)) continue
    if (message.audio !== undefined && message.audio !== null) hide(content, `${at}.audio`)
    readMark(content, message)
    readParts(content, message.content, `${at}.content`)
  }
  for (const tool of listOr(tools)) readMark(content, objectOr(tool))
  return content
}

function readParts(content: ReadContent, parts: unknown, at: string): void {
  if (isObject(parts)) readPart(content, parts, at)
  for (const [index, part] of listOr(parts).entries()) {
    if (isObject(part)) readPart(content, part, `${at}[${index}]`)
  }
}

function readPart(content: ReadContent, part: JsonObject, at: string): void {
  readMark(content, part)
  const { type = typeof part.role === 'string' ? 'message' : undefined } = part
  if (shown.has(type)) return
  const member = typeof type === 'string' && Object.hasOwn(nested, type) ? nested[type] : undefined
  if (member !== undefined) readParts(content, part[member], `${at}.${member}`)
  else if (images.has(type)) readImage(content, part, at)
  else if (type === 'computer_call_output') readParts(content, part.output, `${at}.output`)
  else if (type === 'image_generation_call') addImage(content, textOf(part.result) ?? '')
  else if (type === 'document') readDocument(content, part, at)
  else hide(content, at)
}

/** Images have an address, an id of the upstream, or their bytes in base64. */
function readImage(content: ReadContent, { image_url: named, source, file_id: id }: JsonObject, at: string): void {
  const { type, data, url: sourceUrl, file_id: sourceId } = objectOr(source)
  if (type === 'base64' && typeof data === 'string') {
    addImage(content, data)
    return
  }
  const url = textOf(named) ?? textOf(objectOr(named).url) ?? textOf(sourceUrl)
  if (url === undefined) {
    if (textOf(id) ?? textOf(sourceId)) addImage(content, '')
    else hide(content, at)
  } else if (/^data:image\//i.test(url)) addImage(content, url)
  else if (/^https?:/i.test(url)) addImage(content, '')
  else hide(content, at)
}

function readDocument(content: ReadContent, { source }: JsonObject, at: string): void {
  const { type, media_type: mediaType, content: parts } = objectOr(source)
  const isText = type === 'text' || (type === 'base64' && mediaType === 'text/plain')
  if (type === 'content') readParts(content, parts, `${at}.source.content`)
  else if (!isText) hide(content, at)
}

function addImage(content: ReadContent, bytes: string): void {
  content.images += 1
  content.imageCharacters += bytes.length
}

function hide(content: ReadContent, at: string): void {
  content.hidden ??= at
}

function readMark(content: ReadContent, { cache_control: mark, prompt_cache_breakpoint: point }: JsonObject): void {
  if ([mark, point].some((one) => (objectOr(one).ttl ?? '5m') !== '5m')) content.hasLongCache = true
}
