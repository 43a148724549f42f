import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { ProviderFailure } from '@trivium/gateway-core/ports'
import { PNG } from 'pngjs'
import { createPainting } from './paint.ts'

const ROWS_AT_ONCE = 32

/**
 * Encodes the image of a text as PNG. Paints 32 rows at a time and compresses in the thread pool, so that other
 * requests run in between.
 */
export async function encodePng(text: string, width: number, height: number, signal: AbortSignal): Promise<Uint8Array> {
  const { paintRow } = createPainting(text, width, height)
  const png = new PNG({ width, height, colorType: 2, inputHasAlpha: true, filterType: 1, deflateLevel: 6 })
  for (let row = 0; row < height; row += 1) {
    if (row % ROWS_AT_ONCE === 0) await setImmediate()
    if (signal.aborted) throw new ProviderFailure({ type: 'cancelled', message: 'The request was cancelled.' })
    paintRow(row, png.data)
  }
  const encoded = new PassThrough()
  png.on('error', (error) => encoded.destroy(error))
  png.pack().pipe(encoded)
  return new Uint8Array(await buffer(encoded))
}
