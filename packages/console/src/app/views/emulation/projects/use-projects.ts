import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useCallback, useEffect, useRef } from 'react'
import type { Activity } from '../../../../activity/activity.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { useActivity } from '../../../live/live-context.tsx'
import { topicKey } from '../../../live/topic-key.ts'
import type { Project } from './project.ts'

const projectsKey = topicKey('emulation', 'projects', 'all')

const GATHER_MS = 1000

export interface ProjectsOptions {
  /** Whether the numbers of instances are read again, at most once a second, when an instance changes. */
  readonly countsInstances: boolean
}

/** Reads all projects, also closed and archived ones. */
export function useProjects({ countsInstances }: ProjectsOptions): UseQueryResult<readonly Project[]> {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useActivity(
    useCallback(
      ({ service, type, ids }: Activity) => {
        if (service !== 'emulation') return
        if (type === 'project.closed' || type === 'project.deleted') {
          // Immediately, so that the instances are no longer requested.
          queries.setQueryData<readonly Project[]>(projectsKey, (before) =>
            before?.flatMap((project) =>
              project.project_id === ids.project ? after(project, type === 'project.deleted') : [project],
            ),
          )
        }
        // A project that is opened can start its instances before their states are shown.
        if (type === 'project.opened')
          void queries.invalidateQueries({ queryKey: ['emulation', 'state'], refetchType: 'none' })
        if (!type.startsWith('instance.')) return
        if (!countsInstances) {
          void queries.invalidateQueries({ queryKey: projectsKey, refetchType: 'none' })
        } else if (timer.current === undefined) {
          timer.current = setTimeout(() => {
            timer.current = undefined
            void queries.invalidateQueries({ queryKey: projectsKey })
          }, GATHER_MS)
        }
      },
      [queries, countsInstances],
    ),
  )
  return useQuery({
    queryKey: projectsKey,
    queryFn: ({ signal }) => expectOk(emulation.listProjects({ query: { archived: 'all' }, signal })),
  })
}

/** Returns what is left of a project that was closed or deleted. */
const after = (project: Project, isDeleted: boolean): readonly Project[] =>
  isDeleted || project.temporary ? [] : [{ ...project, status: 'closed', nodes_running: 0 }]
