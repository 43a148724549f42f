import type { CaptureOptions } from '@trivium/emulation-core/ports'
import { pcapHeader, pcapRecord } from './pcap.ts'

/** A capture that writes to a sink. */
export interface CaptureWriter {
  readonly frame: (frame: Uint8Array) => void
  /** Writes the record of a frame that was captured elsewhere. */
  readonly record: (record: Uint8Array) => void
  /** Resolves when the sink is closed; the same promise for every call. */
  stop(): Promise<void>
}

/** Bytes that can wait for the disk. While there are more, frames are left out of the file. */
const PENDING_BYTES = 8 * 1024 * 1024

export function createCaptureWriter(
  { linkType, sink, limitBytes, claim = () => true, ended }: CaptureOptions,
  now: () => number,
): CaptureWriter {
  let written = 0
  let stopped: Promise<void> | undefined

  const write = (bytes: Uint8Array) => {
    written += bytes.length
    sink.write(bytes)
  }

  const stop = () => {
    stopped ??= sink.close()
    return stopped
  }

  const hasRoom = () => stopped === undefined && sink.bufferedBytes <= PENDING_BYTES

  const add = (record: Uint8Array) => {
    const fits = written + record.length <= limitBytes
    if (fits && claim(record.length)) return write(record)
    // A failure of the disk is reported to the caller that stops the capture.
    stop().catch(() => {})
    ended?.(fits ? 'project' : 'capture')
  }

  write(pcapHeader(linkType))
  return {
    frame(frame) {
      if (hasRoom()) add(pcapRecord(frame, now()))
    },
    record(record) {
      if (hasRoom()) add(record)
    },
    stop,
  }
}
