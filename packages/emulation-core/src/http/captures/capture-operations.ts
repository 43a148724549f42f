import { bytes, type Contract, type Handlers, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { MAX_FILTER } from '../../captures/capture-filter.ts'
import type { Emulation, Kind } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { fields, nonEmptyLine, oneOf, plainName, withoutNullish } from '../requests/fields.ts'
import { placeOf } from '../requests/places.ts'

export const PCAP_TYPE = 'application/vnd.tcpdump.pcap'

const directions = ['both', 'outgoing', 'incoming'] as const

/** Accepts `DLT_EN10MB`, also without its prefix and in lower case. */
const dataLinkType = v.pipe(
  nonEmptyLine(64),
  v.transform((name) => `DLT_${name.toUpperCase().replace(/^DLT_/, '')}`),
)

const filter = v.optional(nonEmptyLine(MAX_FILTER))

const named = { capture_file_name: plainName, direction: v.optional(oneOf(directions)), filter }
const typedCapture = fields({ ...named, data_link_type: dataLinkType })
const capture = fields({ ...named, data_link_type: v.optional(dataLinkType) })

const started = v.object({ pcap_file_path: v.string() })

/** Captures on one NIC. For kinds with a single link type, `data_link_type` is optional. */
export function captureOperations(kind: Kind) {
  const { nic, inNic, tag } = placeOf(kind)
  const body: v.GenericSchema<v.InferInput<typeof capture>, v.InferOutput<typeof capture>> = kind === 'router' ||
  kind === 'ethernet-switch'
    ? typedCapture
    : capture
  const common = { tags: [tag], params: inNic } as const
  return {
    startCapture: {
      ...common,
      method: 'POST',
      path: `${nic}/start_capture`,
      summary: 'Starts a capture of the NIC to a file of the project',
      body,
      responses: { 200: started, ...failureResponses },
    },
    stopCapture: {
      ...common,
      method: 'POST',
      path: `${nic}/stop_capture`,
      summary: 'Stops the capture and completes its file',
      responses: { 204: noBody, ...failureResponses },
    },
    streamCapture: {
      ...common,
      method: 'GET',
      path: `${nic}/capture/stream`,
      summary: 'Streams the frames of the NIC from now on, as a pcap file without an end',
      query: v.object({ direction: v.optional(oneOf(directions)), filter }),
      responses: { 200: bytes(PCAP_TYPE), ...failureResponses },
    },
  } as const satisfies Contract
}

export function captureHandlers({ captures }: Emulation, kind: Kind): Handlers<ReturnType<typeof captureOperations>> {
  return {
    startCapture: ({ params: { nic, ...instance }, body }) =>
      captures
        .start({ ...instance, kind }, nic, {
          fileName: body.capture_file_name,
          ...withoutNullish({ dataLinkType: body.data_link_type, direction: body.direction, filter: body.filter }),
        })
        .match((path) => ({ status: 200, body: { pcap_file_path: path } }) as const, toFailure),
    stopCapture: ({ params: { nic, ...instance } }) =>
      captures.stop({ ...instance, kind }, nic).match(() => ({ status: 204 }) as const, toFailure),
    streamCapture: ({ params: { nic, ...instance }, query, ending }) =>
      captures
        .stream({ ...instance, kind }, nic, {
          signal: ending,
          ...withoutNullish({ direction: query.direction, filter: query.filter }),
        })
        .match((source) => ({ status: 200, body: source }) as const, toFailure),
  }
}
