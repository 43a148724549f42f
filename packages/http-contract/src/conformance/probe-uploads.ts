import { ClientDisconnected } from '../request-body.ts'
import type { Upload } from '../upload.ts'
import type { Journal } from './journal.ts'
import type { ProbeSources } from './probe-sources.ts'

/** Reads uploads in the way that the id in the path names, and returns what the answer reports. */
export interface ProbeUploads {
  readonly read: (id: string, upload: Upload) => Promise<unknown>
}

export function createUploads(journal: Journal, { opened }: ProbeSources): ProbeUploads {
  async function count({ chunks, contentType, length }: Upload, onChunk: (chunk: Uint8Array) => unknown) {
    let received = 0
    try {
      for await (const chunk of chunks) {
        received += chunk.byteLength
        await onChunk(chunk)
      }
    } catch (error) {
      if (error instanceof ClientDisconnected) journal.add('upload disconnected')
      throw error
    }
    return { received, contentType, announced: length }
  }

  const readers: Readonly<Record<string, (upload: Upload) => Promise<unknown>>> = {
    count: (upload) => count(upload, () => undefined),
    journal: (upload) => count(upload, (chunk) => journal.add(`chunk ${decoder.decode(chunk)}`)),
    slow: (upload) => count(upload, () => opened('read on')),
    text: async ({ chunks }) => {
      let text = ''
      for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true })
      return text
    },
    first: async ({ chunks }) => {
      for await (const chunk of chunks) return chunk.byteLength > 0
      return false
    },
    unread: async () => 'unread',
    fault: async ({ chunks }) => {
      for await (const _ of chunks) throw new Error('a fault')
    },
  }
  return { read: async (id, upload) => readers[id]?.(upload) }
}

const decoder = new TextDecoder()
