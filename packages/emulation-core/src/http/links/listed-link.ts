import * as v from 'valibot'
import type { Link, LinkEnd } from '../../links/links.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { whole } from '../requests/fields.ts'
import { connection, toWireConnection } from './link-schemas.ts'

const linkEnd = v.object({
  kind: v.picklist(Object.values(wireKinds)),
  id: v.string(),
  name: v.string(),
  adapter_number: whole,
  port_number: whole,
  ...connection.entries,
})

/** A link in a list, with its ends. */
export const listedLink = v.pipe(v.object({ link_id: v.string(), ends: v.array(linkEnd) }), v.title('Link'))

/** Translates a link to the wire. */
export const toWireListedLink = ({ id, ends }: Link): v.InferInput<typeof listedLink> => ({
  link_id: id,
  ends: ends.map(toWireEnd),
})

const toWireEnd = ({ instance, connection: made, counters }: LinkEnd) => ({
  kind: wireKinds[instance.kind],
  id: instance.id,
  name: instance.name,
  adapter_number: made.adapter,
  port_number: made.port,
  ...toWireConnection({ connection: made, counters }),
})
