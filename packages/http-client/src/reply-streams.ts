import { createParser } from 'eventsource-parser'

/** A stream ended before its sentinel. */
export class InterruptedStreamError extends Error {
  override readonly name = 'InterruptedStreamError'

  constructor(cause?: unknown) {
    super('The stream was cut off before its end', { cause })
  }
}

/** Options of {@link readEvents}. */
export interface ReadEventsOptions {
  /** The data of the last event of a complete stream, which is not yielded. @default none: every end is complete */
  readonly sentinel?: string | undefined
}

/**
 * Reads the JSON data of server-sent events, in their order, without their names. Leaving the loop ends the request.
 *
 * @throws InterruptedStreamError if the stream ends without its sentinel, SyntaxError if data is not JSON, and the
 * error of the response if its connection is cut
 */
export async function* readEvents(
  response: Response,
  { sentinel }: ReadEventsOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const arrived: string[] = []
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) })
  for await (const text of textOf(response)) {
    parser.feed(text)
    for (const data of arrived.splice(0)) {
      if (data === sentinel) return
      yield JSON.parse(data)
    }
  }
  if (sentinel !== undefined) throw new InterruptedStreamError()
}

/**
 * Reads the values of newline-delimited JSON, without empty lines. Leaving the loop ends the request.
 *
 * @throws SyntaxError if a line is not JSON, and the error of the response if its connection is cut
 */
export async function* readLines(response: Response): AsyncGenerator<unknown, void, undefined> {
  let rest = ''
  for await (const text of textOf(response)) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line)
  }
  if (rest.trim() !== '') yield JSON.parse(rest)
}

async function* textOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
