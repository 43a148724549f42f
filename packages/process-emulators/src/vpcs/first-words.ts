import type { Readable } from 'node:stream'
import { Refusal } from '@trivium/emulation-core/ports'

const MOST_BYTES = 4096

/** Resolves at VPCS's greeting. Rejects with a `failed` refusal in the program's words when it ends without one. */
export function untilGreeting(output: Readable): Promise<void> {
  let words = ''
  return new Promise((resolve, reject) => {
    const listen = (bytes: Buffer) => {
      words = (words + bytes.toString('latin1')).slice(-MOST_BYTES)
      if (!/Virtual PC Simulator/.test(words)) return
      output.off('data', listen)
      resolve()
    }
    output.on('data', listen)
    output.once('end', () => {
      const text = words.replaceAll('\r', '').trim()
      reject(new Refusal('failed', text === '' ? 'it ended without a word' : text))
    })
  })
}
