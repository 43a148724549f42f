import { useCallback, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { View } from '../../../shell/view.tsx'
import type { Instance } from '../kinds/instance.ts'
import { LabPage } from '../lab/lab-page.tsx'
import { useInstances, useLinks, usePlaces, useStates } from '../lab/use-lab.ts'
import { OpenProjectButton } from './open-project-button.tsx'
import { type Project, projectName, shortId } from './project.ts'
import { ProjectActions } from './project-actions.tsx'
import { useProjects } from './use-projects.ts'

const noInstances: readonly Instance[] = []

export function ProjectPage({ projectId }: { readonly projectId: string }) {
  const projects = useProjects({ countsInstances: false })
  return (
    <Loaded query={projects}>
      {(found) => <FoundProject projectId={projectId} project={found.find((one) => one.project_id === projectId)} />}
    </Loaded>
  )
}

interface FoundProjectProps {
  readonly projectId: string
  /** Absent when no such project exists. */
  readonly project: Project | undefined
}

function FoundProject({ projectId, project }: FoundProjectProps) {
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
      {project?.description !== undefined && <p className="description">{project.description}</p>}
      {project ? (
        <ProjectContent project={project} />
      ) : (
        <EmptyState title="This project does not exist" action={<Link href="/emulation">All projects</Link>}>
          The project was deleted. <code>{projectId}</code>
        </EmptyState>
      )}
    </View>
  )
}

function ProjectContent({ project }: { readonly project: Project }) {
  if (project.status === 'opened') return <OpenProject project={project} />
  const state = project.archived ? 'archived' : 'closed'
  return (
    <EmptyState title={`This project is ${state}`} action={<OpenProjectButton project={project} />}>
      {project.nodes === 1 ? 'It has 1 instance' : `It has ${project.nodes} instances`}, which can be used when it is
      {project.archived ? ' restored and opened' : ' open'}.
    </EmptyState>
  )
}

function OpenProject({ project: { project_id: projectId, locked: isLocked } }: { readonly project: Project }) {
  const instances = useInstances(projectId)
  const links = useLinks(projectId)
  const places = usePlaces(projectId)
  const states = useStates(instances.data ?? noInstances)
  const lab = useMemo(
    () =>
      instances.data &&
      links.data &&
      places.data && {
        projectId,
        isLocked,
        instances: instances.data,
        links: links.data,
        places: places.data,
        states,
      },
    [projectId, isLocked, instances.data, links.data, places.data, states],
  )
  return (
    <Loaded query={instances}>
      {() => (
        <Loaded query={links}>
          {() => <Loaded query={places}>{() => lab && <LabPage key={projectId} lab={lab} />}</Loaded>}
        </Loaded>
      )}
    </Loaded>
  )
}
