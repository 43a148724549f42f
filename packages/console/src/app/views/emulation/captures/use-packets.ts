import { expectOk } from '@trivium/http-client'
import { useEffect, useState } from 'react'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { decodePacket, type PacketSummary } from './decode.ts'
import { type CapturedPacket, createPcapReader } from './pcap.ts'

export interface PacketLine extends PacketSummary {
  readonly number: number
  /** Seconds since the first packet of the file. */
  readonly time: number
  readonly length: number
}

export interface PacketsState {
  /** The last 200 packets, oldest first. */
  readonly lines: readonly PacketLine[]
  /** The number of packets in the file so far. */
  readonly count: number
  readonly status: 'reading' | 'ended' | 'failed'
  readonly error?: unknown
}

const MAX_LINES = 200
const RENDER_INTERVAL_MS = 200

/** Reads a capture file, and continues while it grows. Decodes only the last 200 packets. */
export function usePackets(projectId: string, name: string): PacketsState {
  const emulation = useEmulation()
  const [state, setState] = useState<PacketsState>({ lines: [], count: 0, status: 'reading' })

  useEffect(() => {
    const controller = new AbortController()
    let last: readonly CapturedPacket[] = []
    let start: number | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (end?: Pick<PacketsState, 'status' | 'error'>) => {
      clearTimeout(timer)
      timer = undefined
      const lines = last.map((packet) => lineOf(packet, start ?? packet.time))
      setState((before) => ({ ...before, lines, count: last.at(-1)?.number ?? 0, ...end }))
    }
    const read = async () => {
      const response = await expectOk(
        emulation.getCapture({
          params: { project_id: projectId, name },
          query: { follow: 'true' },
          signal: controller.signal,
        }),
      )
      const chunks = response.body?.getReader()
      const reader = createPcapReader()
      for (let next = await chunks?.read(); next && !next.done; next = await chunks?.read()) {
        const packets = reader.push(next.value)
        start ??= packets[0]?.time
        last = [...last, ...packets].slice(-MAX_LINES)
        timer ??= setTimeout(show, RENDER_INTERVAL_MS)
      }
    }
    setState({ lines: [], count: 0, status: 'reading' })
    read().then(
      () => controller.signal.aborted || show({ status: 'ended' }),
      (error: unknown) => controller.signal.aborted || show({ status: 'failed', error }),
    )
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [emulation, projectId, name])

  return state
}

const lineOf = ({ number, time, bytes, length, linkType }: CapturedPacket, start: number): PacketLine => ({
  ...decodePacket(bytes, linkType),
  number,
  time: time - start,
  length,
})
