import type { ServerProcess } from '../server-process.ts'

/** The chats as clients count them, for comparison with the usage of the servers. */
export interface UsageLedger {
  /** Sends one chat with a key. Every 20 chats it also makes the server write its usage from memory. */
  chat(server: ServerProcess, key: string): Promise<void>
  /** Returns the number of chats that were begun with the key. */
  started(key: string): number
  /** Returns the number of chats that were answered and are certainly written. */
  written(key: string): number
}

const FLUSH_EVERY = 20

export function usageLedger(): UsageLedger {
  const started = new Map<string, number>()
  const written = new Map<string, number>()
  const unwritten = new Map<string, string[]>()
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

  const flush = async (server: ServerProcess) => {
    const keys = unwritten.get(server.url) ?? []
    unwritten.delete(server.url)
    const response = await server.ask('/v1/usage?group_by=model')
    await response.arrayBuffer()
    if (response.ok) for (const key of keys) add(written, key)
  }

  return {
    async chat(server, key) {
      add(started, key)
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'local/echo-no-llm', messages: [{ role: 'user', content: 'x' }] }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`chat: ${response.status} ${text}`)
      const keys = unwritten.get(server.url) ?? []
      unwritten.set(server.url, [...keys, key])
      if (keys.length + 1 >= FLUSH_EVERY) await flush(server)
    },
    started: (key) => started.get(key) ?? 0,
    written: (key) => written.get(key) ?? 0,
  }
}
