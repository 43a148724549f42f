import { useQueryClient } from '@tanstack/react-query'
import { expectOk, uploadInRanges } from '@trivium/http-client'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../components/error-note.tsx'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'

/** What is uploaded. */
export interface UploadSource {
  readonly file: File
  readonly name: string
  /** The expected checksum in hexadecimal digits; empty without one. */
  readonly sha256: string
}

/** An upload of this page, and how far it has come. */
export interface Upload extends UploadSource {
  readonly state: 'running' | 'paused' | 'failed' | 'done'
  readonly receivedBytes: number
  readonly message?: string
}

/** Uploads one file at a time. It is paused when the page is left, and continues when the same file is chosen again. */
export function useUpload() {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const [upload, setUpload] = useState<Upload>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (source: UploadSource) => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const params = { name: source.name }
    const change = (changes: Partial<Upload>) =>
      setUpload((before) => (before && running.current === controller ? { ...before, ...changes } : before))
    setUpload((before) => ({ ...source, state: 'running', receivedBytes: before?.receivedBytes ?? 0 }))
    try {
      await uploadInRanges(source.file, {
        signal,
        ...(source.sha256 !== '' && { sha256: source.sha256 }),
        send: (range) => expectOk(emulation.putDiskImage({ params, ...range, signal })),
        receivedBytes: async () => {
          // The list has no error for a name that is new, which browsers would report.
          const images = await expectOk(emulation.listDiskImages({ signal }))
          const known = images.find(({ name }) => name === source.name)
          const receivedBytes = known?.state === 'uploading' ? known.received_bytes : 0
          change({ receivedBytes })
          return receivedBytes
        },
        onProgress: (receivedBytes) => change({ receivedBytes }),
      })
      change({ state: 'done' })
    } catch (error) {
      change(signal.aborted ? { state: 'paused' } : { state: 'failed', message: errorMessage(error) })
    }
    void queries.invalidateQueries({ queryKey: topicKey('emulation', 'disk-images') })
  }

  return {
    upload,
    start: (source: UploadSource) => void run(source),
    pause: () => running.current?.abort(),
    forget: () => setUpload(undefined),
  }
}
