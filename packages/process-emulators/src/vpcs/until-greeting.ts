import type { Readable } from 'node:stream'
import { Refusal } from '@trivium/emulation-core/ports'

const MAX_BYTES = 4096

/** Resolves at the greeting of VPCS. Rejects with a `failed` refusal and its output when it ends without a greeting. */
export function untilGreeting(output: Readable): Promise<void> {
  let received = ''
  return new Promise((resolve, reject) => {
    const listen = (bytes: Buffer) => {
      received = (received + bytes.toString('latin1')).slice(-MAX_BYTES)
      if (!/Virtual PC Simulator/.test(received)) return
      output.off('data', listen)
      resolve()
    }
    output.on('data', listen)
    output.once('end', () => {
      const text = received.replaceAll('\r', '').trim()
      reject(new Refusal('failed', text === '' ? 'it ended without output' : text))
    })
  })
}
