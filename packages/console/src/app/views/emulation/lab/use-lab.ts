import { type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useCallback } from 'react'
import type { Activity } from '../../../../activity/activity.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { useActivity } from '../../../live/live-context.tsx'
import { topicKey } from '../../../live/topic-key.ts'
import { type Instance, type InstanceState, instanceParams, readInstances } from '../kinds/instance.ts'
import { isAlwaysOn } from '../kinds/kinds.ts'
import { operationsOf } from '../kinds/operations.ts'
import { type Link, readLinks } from '../links/link.ts'

export function useInstances(projectId: string): UseQueryResult<readonly Instance[]> {
  const emulation = useEmulation()
  return useQuery({
    queryKey: topicKey('emulation', 'instances', projectId),
    queryFn: ({ signal }) => readInstances(emulation, projectId, signal),
  })
}

/** @param lookMs how often they are read again for their counters, which nothing tells of. @default never */
export function useLinks(projectId: string, lookMs?: number): UseQueryResult<readonly Link[]> {
  const emulation = useEmulation()
  return useQuery({
    refetchInterval: lookMs ?? false,
    queryKey: topicKey('emulation', 'links', projectId),
    queryFn: ({ signal }) => readLinks(emulation, projectId, signal),
  })
}

const stateKey = (id: string) => ['emulation', 'state', id]

const statesAfter: Readonly<Record<string, InstanceState>> = {
  'instance.started': 'started',
  'instance.resumed': 'started',
  'instance.suspended': 'suspended',
  'instance.stopped': 'stopped',
}

/** Whether each instance runs, by id: asked for once, and told from then on. */
export function useStates(instances: readonly Instance[]): ReadonlyMap<string, InstanceState> {
  const emulation = useEmulation()
  const queries = useQueryClient()
  useActivity(
    useCallback(
      ({ service, type, ids: { instance } }: Activity) => {
        const state = statesAfter[type]
        if (service !== 'emulation' || instance === undefined || state === undefined) return
        const key = stateKey(instance)
        // An answer that is under way may be of before.
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

/** What a project's page shows. */
export interface Lab {
  readonly projectId: string
  readonly instances: readonly Instance[]
  readonly links: readonly Link[]
  readonly states: ReadonlyMap<string, InstanceState>
}

/** What is looked at closer. */
export interface Selection {
  readonly type: 'instance' | 'link'
  readonly id: string
}

export const cabledPorts = ({ links }: Lab, instanceId: string): readonly { adapter: number; port: number }[] =>
  links.flatMap(({ ends }) =>
    ends
      .filter(({ id }) => id === instanceId)
      .map(({ adapter_number, port_number }) => ({ adapter: adapter_number, port: port_number })),
  )
