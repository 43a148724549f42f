import { useQuery, useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useCallback } from 'react'
import { useRoute } from 'wouter'
import type { Activity } from '../../../activity/activity.ts'
import { Loaded } from '../../components/loaded.tsx'
import { useEmulation } from '../../hooks/use-emulation.ts'
import { useActivity } from '../../live/live-context.tsx'
import { topicKey } from '../../live/topic-key.ts'
import { DiskImagesPage } from './disk-images/disk-images-page.tsx'
import type { Project } from './projects/project.ts'
import { ProjectPage } from './projects/project-page.tsx'
import { ProjectsPage } from './projects/projects-page.tsx'
import './emulation.css'

export default function EmulationView() {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const [, place] = useRoute('/emulation/:project')
  const projects = useQuery({
    queryKey: topicKey('emulation', 'projects'),
    queryFn: ({ signal }) => expectOk(emulation.listProjects({ signal })),
  })
  // A closed or deleted project leaves the list immediately, so that its instances are no longer requested.
  useActivity(
    useCallback(
      ({ type, ids }: Activity) => {
        if (type !== 'project.closed' && type !== 'project.deleted') return
        queries.setQueryData<readonly Project[]>(topicKey('emulation', 'projects'), (before) =>
          before?.filter(({ project_id }) => project_id !== ids.project),
        )
      },
      [queries],
    ),
  )
  const id = place?.project
  if (id === 'disk-images') return <DiskImagesPage />
  if (id === undefined) return <ProjectsPage projects={projects} />
  return (
    <Loaded query={projects}>
      {(found) => <ProjectPage key={id} projectId={id} project={found.find(({ project_id }) => project_id === id)} />}
    </Loaded>
  )
}
