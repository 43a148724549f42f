import type { GenericSchema } from 'valibot'
import type { Instance, Kind, NewInstance } from '../../index.ts'
import type { InstanceUpdate } from '../../instances/update-instance.ts'

/** One kind on the wire: what is asked for, what is answered, and how both are translated. */
export interface KindWire<K extends Kind, Create, Update, Wire> {
  readonly kind: K
  readonly create: GenericSchema<Create, NewFields<K>>
  readonly update: GenericSchema<Update, InstanceUpdate<K>>
  readonly object: GenericSchema<Wire>
  readonly toWire: (instance: Instance<K>) => Wire
}

export type NewFields<K extends Kind> = Omit<NewInstance<K>, 'projectId' | 'kind'>
