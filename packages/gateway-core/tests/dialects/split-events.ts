import { EventFramer } from '../../src/chat/streams/event-framer.ts'
import type { ConversationEvent } from '../../src/dialects/conversation/conversation-answer.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'
import type { EventReader } from '../../src/dialects/translation.ts'

/** Cuts bytes into pieces of at most `size` bytes, also inside a character. */
export const piecesOf = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

/** Encodes server-sent events as an upstream sends them. Values without a name have no `event:` field. */
export const streamOf = (
  events: readonly { readonly name?: string; readonly value: JsonObject | '[DONE]' }[],
): string =>
  events
    .map(({ name, value }) => {
      const data = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`
    })
    .join('')

/**
 * Reads a stream of which each chunk has arrived as it is, as the gateway does. `[DONE]` and the end of the chunks end the
 * reader once.
 */
export function readChunks(reader: EventReader, chunks: Iterable<Uint8Array>): readonly ConversationEvent[] {
  const framer = new EventFramer()
  const events: ConversationEvent[] = []
  let ended = false
  const end = () => {
    if (!ended) events.push(...reader.end())
    ended = true
  }
  for (const chunk of chunks) {
    const block = framer.push(chunk)
    if (!block) continue
    let start = 0
    for (const place of block.ends) {
      const { name, data } = fieldsOf(new TextDecoder().decode(block.bytes.subarray(start, place)))
      start = place
      if (data === '[DONE]') end()
      else if (data !== undefined) events.push(...reader.read(name, JSON.parse(data)))
    }
  }
  end()
  return events
}

/** Reads the text of a whole stream. */
export const readStream = (reader: EventReader, text: string): readonly ConversationEvent[] =>
  readChunks(reader, [new TextEncoder().encode(text)])

function fieldsOf(text: string): { readonly name?: string; readonly data?: string } {
  const valuesOf = (field: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${field}: `))
      .map((line) => line.slice(field.length + 2))
  const [name] = valuesOf('event')
  const data = valuesOf('data')
  return { ...(name === undefined ? {} : { name }), ...(data.length === 0 ? {} : { data: data.join('\n') }) }
}
