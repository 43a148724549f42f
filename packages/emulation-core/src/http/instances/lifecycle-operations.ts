import { type Contract, type Handlers, noBody } from '@trivium/http-contract'
import type { Emulation, Kind } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { placeOf } from '../requests/places.ts'

/** The operations of kinds that clients start and stop. */
export function lifecycleOperations(kind: Kind) {
  const { instance, inInstance, tag } = placeOf(kind)
  const command = {
    method: 'POST',
    tags: [tag],
    params: inInstance,
    responses: { 204: noBody, ...failureResponses },
  } as const
  return {
    start: { ...command, path: `${instance}/start`, summary: 'Starts the instance, or resumes it' },
    stop: { ...command, path: `${instance}/stop`, summary: 'Stops the instance' },
    reload: {
      ...command,
      path: `${instance}/reload`,
      summary: 'Resets the instance, or starts it where it is stopped',
    },
  } as const satisfies Contract
}

/** The operations of kinds that can also be suspended. */
export function suspensionOperations(kind: Kind) {
  const { instance, inInstance, tag } = placeOf(kind)
  const command = {
    method: 'POST',
    tags: [tag],
    params: inInstance,
    responses: { 204: noBody, ...failureResponses },
  } as const
  return {
    suspend: { ...command, path: `${instance}/suspend`, summary: 'Suspends the instance' },
    resume: { ...command, path: `${instance}/resume`, summary: 'Resumes the instance' },
  } as const satisfies Contract
}

export function lifecycleHandlers(
  { lifecycle }: Emulation,
  kind: Kind,
): Handlers<ReturnType<typeof lifecycleOperations>> {
  return {
    start: ({ params }) => lifecycle.start({ ...params, kind }).match(() => ({ status: 204 }) as const, toFailure),
    stop: ({ params }) => lifecycle.stop({ ...params, kind }).match(() => ({ status: 204 }) as const, toFailure),
    reload: ({ params }) => lifecycle.reload({ ...params, kind }).match(() => ({ status: 204 }) as const, toFailure),
  }
}

export function suspensionHandlers(
  { lifecycle }: Emulation,
  kind: Kind,
): Handlers<ReturnType<typeof suspensionOperations>> {
  return {
    suspend: ({ params }) => lifecycle.suspend({ ...params, kind }).match(() => ({ status: 204 }) as const, toFailure),
    resume: ({ params }) => lifecycle.resume({ ...params, kind }).match(() => ({ status: 204 }) as const, toFailure),
  }
}
