import type { Handlers } from '@trivium/http-contract'
import type { Emulation, Kind } from '../../index.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { KindWire } from '../kinds/kind-wire.ts'
import { legacyInstanceId } from '../requests/legacy-id.ts'
import type { instanceOperations } from './instance-operations.ts'

type Operations<K extends Kind, Create, Update, Wire> = ReturnType<typeof instanceOperations<K, Create, Update, Wire>>

export function instanceHandlers<K extends Kind, Create, Update, Wire>(
  { instances }: Emulation,
  { kind, toWire }: KindWire<K, Create, Update, Wire>,
): Handlers<Operations<K, Create, Update, Wire>> {
  return {
    create: async ({ params, body: { id: given, ...fields } }) => {
      const id = typeof given === 'number' ? await legacyInstanceId(params.projectId, kind, given) : given
      return instances
        .create({ ...fields, ...params, kind, ...(id !== undefined && { id }) })
        .match((instance) => ({ status: 201, body: toWire(instance) }) as const, toFailure)
    },
    list: ({ params }) =>
      instances
        .list(params.projectId, kind)
        .match((found) => ({ status: 200, body: found.map(toWire) }) as const, toFailure),
    get: ({ params }) =>
      instances
        .find({ ...params, kind })
        .match((instance) => ({ status: 200, body: toWire(instance) }) as const, toFailure),
    update: ({ params, body }) =>
      instances
        .update({ ...params, kind }, body)
        .match((instance) => ({ status: 200, body: toWire(instance) }) as const, toFailure),
    delete: ({ params }) => instances.remove({ ...params, kind }).match(() => ({ status: 204 }) as const, toFailure),
    getStatus: ({ params }) =>
      instances
        .find({ ...params, kind })
        .match(({ state }) => ({ status: 200, body: { status: state } }) as const, toFailure),
  }
}
