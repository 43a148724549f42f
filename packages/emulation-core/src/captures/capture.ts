/** Direction of the captured frames, as the instance sees it: `outgoing` frames leave the instance. */
export type CaptureDirection = 'both' | 'outgoing' | 'incoming'

/** A capture that was started and not stopped. It ends with the server. Its file stays. */
export interface CaptureRecord {
  /** A plain name in the project's captures directory. */
  readonly fileName: string
  readonly dataLinkType: string
  readonly direction: CaptureDirection
  /** An expression of pcap-filter. Absent where every frame is captured. */
  readonly filter?: string
}

/** The limit that ended a capture: the size of its own file, or of all capture files of its project. */
export type CaptureLimit = 'capture' | 'project'

/** The destination of a capture's bytes. */
export interface CaptureSink {
  /** Queues bytes, in order. They are visible to readers of the file without waiting for {@link close}. */
  write(bytes: Uint8Array): void
  /** Bytes that are queued and not yet written. A fast producer drops whole frames so that this does not grow. */
  readonly bufferedBytes: number
  /** Resolves when everything is written. Rejects where the disk has failed, at the close or at an earlier write. */
  close(): Promise<void>
}
