import type { StreamOptions } from '@trivium/emulation-core/ports'
import { pcapHeader, pcapRecord } from './pcap.ts'

/** A capture that is read while it runs. */
export interface CaptureStream {
  readonly frame: (frame: Uint8Array) => void
  /** Ends the stream after what is buffered. */
  end(): void
  /** For one reader. Frames that arrive while it is busy are joined to one piece. */
  readonly pieces: AsyncIterable<Uint8Array>
}

const DEFAULT_LIMIT_BYTES = 4 * 1024 * 1024

export function createCaptureStream(
  { linkType, limitBytes = DEFAULT_LIMIT_BYTES }: Pick<StreamOptions, 'linkType' | 'limitBytes'>,
  now: () => number,
): CaptureStream {
  let buffered: Uint8Array[] = [pcapHeader(linkType)]
  let bytes = 0
  let ended = false
  let wake: (() => void) | undefined

  const signal = () => {
    wake?.()
    wake = undefined
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    while (true) {
      if (buffered.length > 0) {
        const piece = Buffer.concat(buffered)
        buffered = []
        bytes = 0
        yield piece
      } else if (ended) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    frame(frame) {
      if (ended || bytes + 16 + frame.length > limitBytes) return
      const record = pcapRecord(frame, now())
      buffered.push(record)
      bytes += record.length
      signal()
    },
    end() {
      ended = true
      signal()
    },
    pieces: read(),
  }
}
