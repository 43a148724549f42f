import * as v from 'valibot'
import type { Connection } from '../../index.ts'
import type { ConnectionView } from '../../links/connections.ts'
import type { LinkCounters, StormDrops } from '../../ports.ts'
import { whole } from '../requests/fields.ts'
import { impairments, toWireImpairments } from './impairments.ts'
import { nio, toWireNio } from './nio.ts'

const direction = v.object({ frames: whole, bytes: whole, dropped: whole })

const stormDrops = v.object({ broadcast: whole, multicast: whole, unknown_unicast: whole })

/**
 * Counters since the NIO was created. `outgoing` frames leave the instance. `storm_drops` are frames that the storm
 * control of a switch port has dropped.
 */
const counters = v.object({ outgoing: direction, incoming: direction, storm_drops: v.optional(stormDrops) })

const toWireCounters = (
  { outgoing, incoming }: LinkCounters,
  drops: StormDrops | undefined,
): v.InferInput<typeof counters> => ({
  outgoing: { ...outgoing },
  incoming: { ...incoming },
  ...(drops && {
    storm_drops: { broadcast: drops.broadcast, multicast: drops.multicast, unknown_unicast: drops.unknownUnicast },
  }),
})

const capture = v.object({
  capture_file_name: v.string(),
  data_link_type: v.string(),
  direction: v.picklist(['both', 'outgoing', 'incoming']),
  filter: v.optional(v.string()),
})

/** The connection of a NIC: its NIO, impairments, link state, capture and counters. */
export const connection = v.pipe(
  v.object({ nio, impairments, link_up: v.boolean(), capture: v.nullable(capture), counters }),
  v.title('Connection'),
)

export function toWireConnection({
  connection: found,
  counters: counted,
  stormDrops: drops,
}: ConnectionView): v.InferInput<typeof connection> {
  return { ...toWireLink(found), counters: toWireCounters(counted, drops) }
}

export const toWireLink = (found: Connection): Omit<v.InferInput<typeof connection>, 'counters'> => ({
  nio: toWireNio(found.nio),
  impairments: toWireImpairments(found.impairments),
  link_up: found.linkUp,
  capture: found.capture
    ? {
        capture_file_name: found.capture.fileName,
        data_link_type: found.capture.dataLinkType,
        direction: found.capture.direction,
        ...(found.capture.filter !== undefined && { filter: found.capture.filter }),
      }
    : null,
})
