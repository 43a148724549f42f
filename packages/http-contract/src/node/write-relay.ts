import type { ServerResponse } from 'node:http'
import type { Relay, RelaySource } from '../response-body.ts'
import { cutOff } from './cut-off.ts'
import { flusherOf, flushHeadersSoon } from './flush-chunk.ts'

/** Starts a relay that writes to a response. */
export function writeRelay(response: ServerResponse, relay: Relay): void {
  const flush = flusherOf(response)
  let begun = false
  let over = false
  let source: RelaySource | undefined
  response.on('drain', () => {
    if (!over) source?.resume()
  })
  response.on('close', () => {
    if (over) return
    over = true
    source?.close()
  })
  flushHeadersSoon(response, () => begun)
  try {
    source = relay.start({
      write: (chunk) => {
        if (over) return false
        begun = true
        const keepsUp = response.write(chunk)
        flush?.()
        return keepsUp
      },
      end: () => {
        if (over) return
        begun = true
        over = true
        response.end()
      },
      destroy: () => {
        over = true
        cutOff(response)
      },
    })
  } catch {
    over = true
    cutOff(response)
  }
}
