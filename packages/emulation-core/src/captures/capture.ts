/** As the instance sees it: `outgoing` leaves it. */
export type CaptureDirection = 'both' | 'outgoing' | 'incoming'

/** A capture that was asked for and not stopped. It ends with the server; its file stays. */
export interface CaptureRecord {
  /** One plain name, inside the project's captures directory. */
  readonly fileName: string
  readonly dataLinkType: string
  readonly direction: CaptureDirection
}

/** What ended a capture that was not stopped: the size of its own file, or of all capture files of its project. */
export type CaptureLimit = 'capture' | 'project'

/** Where a capture's bytes go. */
export interface CaptureSink {
  /** Queues bytes, in order. They are visible to readers of the file without waiting for {@link close}. */
  write(bytes: Uint8Array): void
  /** Bytes that are queued and not yet written: a fast producer drops whole frames rather than grow this. */
  readonly bufferedBytes: number
  /** Resolves when everything is written. Rejects where the disk failed, and then or earlier. */
  close(): Promise<void>
}
