import type { GenericSchema } from 'valibot'
import type { Instance, InstanceId, Kind, NewInstance } from '../../index.ts'
import type { InstanceUpdate } from '../../instances/update-instance.ts'

/** One kind on the wire: the schemas of requests and responses, and the translation of both. */
export interface KindWire<K extends Kind, Create, Update, Wire> {
  readonly kind: K
  readonly create: GenericSchema<Create, NewFields<K>>
  readonly update: GenericSchema<Update, InstanceUpdate<K>>
  readonly object: GenericSchema<Wire>
  readonly toWire: (instance: Instance<K>) => Wire
}

export interface NewFields<K extends Kind> extends Omit<NewInstance<K>, 'projectId' | 'kind' | 'id'> {
  /** A number stands for the id that is made from it. */
  readonly id?: InstanceId | number
}
