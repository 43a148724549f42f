import { type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useCallback } from 'react'
import type { Activity } from '../../../../activity/activity.ts'
import { type EmulationClient, useEmulation } from '../../../hooks/use-emulation.ts'
import { useActivity } from '../../../live/live-context.tsx'
import { topicKey } from '../../../live/topic-key.ts'
import { type Instance, type InstanceState, instanceParams, readInstances } from '../kinds/instance.ts'
import { isAlwaysOn } from '../kinds/kinds.ts'
import { operationsOf } from '../kinds/operations.ts'
import { type Link, readLinks } from '../links/link.ts'

/** Reads the instances of a project. */
export function useInstances(projectId: string): UseQueryResult<readonly Instance[]> {
  const emulation = useEmulation()
  return useQuery({
    queryKey: topicKey('emulation', 'instances', projectId),
    queryFn: ({ signal }) => readInstances(emulation, projectId, signal),
  })
}

/**
 * Reads the links of a project.
 *
 * @param pollMs the interval of reading them again for their counters, which no activity reports. @default never
 */
export function useLinks(projectId: string, pollMs?: number): UseQueryResult<readonly Link[]> {
  const emulation = useEmulation()
  return useQuery({
    refetchInterval: pollMs ?? false,
    queryKey: topicKey('emulation', 'links', projectId),
    queryFn: ({ signal }) => readLinks(emulation, projectId, signal),
  })
}

/** An instance as a node of its lab, with where it is shown. */
export type Place = Extract<Awaited<ReturnType<EmulationClient['listNodes']>>, { readonly status: 200 }>['body'][number]

export const placesKey = (projectId: string) => topicKey('emulation', 'places', projectId)

/** Reads where the instances of a project are shown. */
export function usePlaces(projectId: string): UseQueryResult<readonly Place[]> {
  const emulation = useEmulation()
  return useQuery({
    queryKey: placesKey(projectId),
    queryFn: ({ signal }) => expectOk(emulation.listNodes({ params: { project_id: projectId }, signal })),
  })
}

const stateKey = (id: string) => ['emulation', 'state', id]

const stateByEvent: Readonly<Record<string, InstanceState>> = {
  'instance.started': 'started',
  'instance.resumed': 'started',
  'instance.suspended': 'suspended',
  'instance.stopped': 'stopped',
}

/** Returns the state of each instance by id. Each is read once, and then updated by activities. */
export function useStates(instances: readonly Instance[]): ReadonlyMap<string, InstanceState> {
  const emulation = useEmulation()
  const queries = useQueryClient()
  useActivity(
    useCallback(
      ({ service, type, ids: { instance } }: Activity) => {
        const state = stateByEvent[type]
        if (service !== 'emulation' || instance === undefined || state === undefined) return
        const key = stateKey(instance)
        // A running request can return the earlier state.
        void queries.cancelQueries({ queryKey: key }).then(() => queries.setQueryData(key, state))
      },
      [queries],
    ),
  )
  return useQueries({
    queries: instances.map((instance) => ({
      queryKey: stateKey(instance.id),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<InstanceState> => {
        if (isAlwaysOn(instance.kind)) return 'started'
        const { status } = operationsOf(emulation, instance.kind)
        return (await expectOk(status({ params: instanceParams(instance), signal }))).status
      },
    })),
    combine: useCallback(
      (found: readonly UseQueryResult<InstanceState>[]) =>
        new Map(
          instances.flatMap(({ id }, index) => {
            const state = found[index]?.data
            return state === undefined ? [] : [[id, state] as const]
          }),
        ),
      [instances],
    ),
  })
}

/** The content of an open project. */
export interface Lab {
  readonly projectId: string
  /** Whether the server refuses all changes. Instances can still be started and stopped. */
  readonly isLocked: boolean
  readonly instances: readonly Instance[]
  readonly links: readonly Link[]
  readonly places: readonly Place[]
  readonly states: ReadonlyMap<string, InstanceState>
}

/** The selected element of a lab. */
export interface Selection {
  readonly type: 'instance' | 'link'
  readonly id: string
}

/** Returns the ports of an instance that have a cable. */
export const cabledPorts = ({ links }: Lab, instanceId: string): readonly { adapter: number; port: number }[] =>
  links.flatMap(({ ends }) =>
    ends
      .filter(({ id }) => id === instanceId)
      .map(({ adapter_number, port_number }) => ({ adapter: adapter_number, port: port_number })),
  )
