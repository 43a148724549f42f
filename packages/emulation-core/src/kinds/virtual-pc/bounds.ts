import * as v from 'valibot'
import { portSchema } from '../../bounds.ts'
import { virtualPcEngineNames } from './settings.ts'

/** Accepts the address of one station: the lowest bit of its first byte is 0, and it is not all zero. */
export const isStationAddress = (text: string): boolean =>
  /^[0-9a-f][02468ace](:[0-9a-f]{2}){5}$/i.test(text) && !/^[0:]*$/.test(text)

/** What a host can set of a virtual PC. */
export const virtualPcSettings = v.object({
  console: v.optional(portSchema),
  engine: v.optional(v.picklist(virtualPcEngineNames)),
  macAddress: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => isStationAddress(text) && text === text.toLowerCase(), 'must be a MAC address of one station'),
    ),
  ),
})
