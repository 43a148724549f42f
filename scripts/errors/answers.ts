import type { FetchHandler } from '@trivium/fetch-adapter'
import type { Reply } from '@trivium/http-contract'
import type { ErrorNote, GroupedEntry } from './catalogue.ts'

/** A request whose answer is an error. */
export interface RefusedRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** An example for each note of all groups. */
export type Examples<Groups> = Readonly<
  Record<{ [Title in keyof Groups]: keyof Groups[Title] }[keyof Groups] & string, RefusedRequest | Reply>
>

interface AnsweredOptions {
  readonly notes: Readonly<Record<string, Readonly<Record<string, ErrorNote>>>>
  readonly examples: Readonly<Record<string, RefusedRequest | Reply>>
  /** Answers the requests in this process. */
  readonly handle?: FetchHandler
  readonly codeAndMessageOf: (body: unknown) => { readonly code: string; readonly message: string }
}

/** Returns the answer to each example, with its note. */
export async function entriesOfAnswers(options: AnsweredOptions): Promise<readonly GroupedEntry[]> {
  const { notes, examples, handle, codeAndMessageOf } = options
  const entries: GroupedEntry[] = []
  for (const [group, noted] of Object.entries(notes)) {
    for (const [name, note] of Object.entries(noted)) {
      const example = examples[name]
      if (!example) throw new Error(`there is no example of ${name}`)
      const { status, body } = 'kind' in example ? read(example) : await answerTo(handle, example)
      entries.push({ group, ...note, status, ...codeAndMessageOf(body) })
    }
  }
  return entries
}

const read = (reply: Reply) => ({ status: reply.status, body: 'value' in reply ? reply.value : undefined })

async function answerTo(handle: FetchHandler | undefined, request: RefusedRequest) {
  const { method = 'GET', path, headers = {}, body } = request
  const response = await handle?.(
    new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }),
  )
  if (!response || response.status < 400) {
    throw new Error(`${method} ${path} does not return an error: ${response?.status ?? 'there is no such route'}`)
  }
  return { status: response.status, body: await response.json() }
}
