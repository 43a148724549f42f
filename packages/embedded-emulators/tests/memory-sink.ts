import type { CaptureSink } from '@trivium/emulation-core/ports'

export interface MemorySink extends CaptureSink {
  readonly content: Buffer
  readonly closed: boolean
  bufferedBytes: number
}

/** Creates a sink that keeps its bytes in memory. */
export const createMemorySink = (): MemorySink => {
  const pieces: Uint8Array[] = []
  let closed = false
  return {
    bufferedBytes: 0,
    write: (bytes) => void pieces.push(bytes),
    close: async () => {
      closed = true
    },
    get content() {
      return Buffer.concat(pieces)
    },
    get closed() {
      return closed
    },
  }
}

/** Reads the frames of a pcap file, their times in milliseconds since 1970, and its link type. */
export const readPcap = (
  file: Buffer,
): { readonly linkType: number; readonly frames: readonly Buffer[]; readonly times: readonly number[] } => {
  const frames: Buffer[] = []
  const times: number[] = []
  for (let at = 24; at < file.length; ) {
    const length = file.readUInt32LE(at + 8)
    times.push(file.readUInt32LE(at) * 1000 + file.readUInt32LE(at + 4) / 1000)
    frames.push(file.subarray(at + 16, at + 16 + length))
    at += 16 + length
  }
  return { linkType: file.readUInt32LE(20), frames, times }
}
