import type { Contract, Handlers } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Emulation, Kind } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { whole } from '../requests/fields.ts'
import { placeOf } from '../requests/places.ts'

const resources = v.object({ cpu_seconds: v.nullable(v.number()), memory_bytes: v.nullable(whole) })

/** The operation of kinds whose instances can have processes of their own. */
export function resourceOperations(kind: Kind) {
  const { instance, inInstance, tag } = placeOf(kind)
  return {
    getResources: {
      method: 'GET',
      path: `${instance}/resources`,
      summary: 'Reads the CPU time and the resident memory of the instance, or null where they are unknown',
      tags: [tag],
      params: inInstance,
      responses: { 200: resources, ...failureResponses },
    },
  } as const satisfies Contract
}

export function resourceHandlers(
  { instances }: Emulation,
  kind: Kind,
): Handlers<ReturnType<typeof resourceOperations>> {
  return {
    getResources: ({ params }) =>
      instances.resources({ ...params, kind }).match(
        (used) =>
          ({
            status: 200,
            body: { cpu_seconds: used?.cpuSeconds ?? null, memory_bytes: used?.memoryBytes ?? null },
          }) as const,
        toFailure,
      ),
  }
}
