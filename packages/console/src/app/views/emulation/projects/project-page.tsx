import { useCallback, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { View } from '../../../shell/view.tsx'
import type { Instance } from '../kinds/instance.ts'
import { LabPage } from '../lab/lab-page.tsx'
import { useInstances, useLinks, useStates } from '../lab/use-lab.ts'
import { type Project, projectName, shortId } from './project.ts'
import { ProjectActions } from './project-actions.tsx'

const noInstances: readonly Instance[] = []

export interface ProjectPageProps {
  readonly projectId: string
  /** Absent when no such project is open. */
  readonly project: Project | undefined
}

export function ProjectPage({ projectId, project }: ProjectPageProps) {
  const [, navigate] = useLocation()
  const leave = useCallback(() => navigate('/emulation'), [navigate])
  return (
    <View
      title={projectName(project ?? { project_id: projectId })}
      actions={
        <div className="row">
          {project?.name !== undefined && <code className="quiet">{shortId(project)}</code>}
          <Link href="/emulation">All projects</Link>
          {project && <ProjectActions project={project} onRemoved={leave} />}
        </div>
      }
    >
      {project ? (
        <OpenProject projectId={projectId} />
      ) : (
        <EmptyState title="This project is not open" action={<Link href="/emulation">All projects</Link>}>
          The project was closed or deleted. <code>{projectId}</code>
        </EmptyState>
      )}
    </View>
  )
}

function OpenProject({ projectId }: { readonly projectId: string }) {
  const instances = useInstances(projectId)
  const links = useLinks(projectId)
  const states = useStates(instances.data ?? noInstances)
  const lab = useMemo(
    () => instances.data && links.data && { projectId, instances: instances.data, links: links.data, states },
    [projectId, instances.data, links.data, states],
  )
  return (
    <Loaded query={instances}>
      {() => <Loaded query={links}>{() => lab && <LabPage key={projectId} lab={lab} />}</Loaded>}
    </Loaded>
  )
}
