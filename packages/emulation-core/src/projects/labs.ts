import type { Context } from '../context.ts'
import { inGroups } from '../in-groups.ts'
import type { Lifecycle } from '../instances/lifecycle.ts'
import type { RestoreProblem } from '../instances/restore-instance.ts'
import { ServiceClosed } from '../lifetime.ts'
import type { LabRun } from './lab-runs.ts'
import { openProject } from './open-project.ts'
import type { ProjectId } from './project.ts'
import { startLab, stopLab } from './run-lab.ts'

/** Opens, starts and stops whole labs, also without a request. */
export interface Labs {
  start(id: ProjectId): Promise<LabRun>
  /** Starts a lab, and logs what fails. */
  startLater(id: ProjectId): void
  stop(id: ProjectId): Promise<LabRun>
  /** Stops the lab after the time that its project has, counted from now. */
  scheduleStop(id: ProjectId): void
  /**
   * Opens the closed projects that open with the server, and starts the labs that start with it. Called once, at the end
   * of the recovery.
   */
  begin(): Promise<readonly RestoreProblem[]>
}

export function createLabs(context: Context, lifecycle: Pick<Lifecycle, 'start' | 'stop'>): Labs {
  const { repositories, projectStates, labRuns, events, emit } = context

  const reportUnlessClosed = (fault: unknown) => {
    if (!(fault instanceof ServiceClosed)) context.onFault(fault)
  }

  const start = (id: ProjectId) => labRuns.start(id, (signal) => startLab(context, lifecycle, id, signal))
  const stop = (id: ProjectId) => stopLab(context, lifecycle, id)

  const startLater = (id: ProjectId) => {
    start(id).then(({ failed }) => {
      for (const { instance, error } of failed) {
        const reason = 'message' in error ? error.message : error.type
        emit('log', { projectId: id, level: 'error', message: `${instance.name} could not be started: ${reason}` })
      }
    }, reportUnlessClosed)
  }

  const scheduleStop = (id: ProjectId) => {
    const autoStopMinutes = projectStates.autoStopMinutes(id)
    if (autoStopMinutes === 0) return labRuns.keepRunning(id)
    labRuns.stopAfter(id, autoStopMinutes, () => {
      if (context.liveCounts.running(id) === 0) return
      const message = `The lab is stopped, ${autoStopMinutes} minutes after its last start.`
      emit('log', { projectId: id, level: 'info', message })
      stop(id).catch(reportUnlessClosed)
    })
  }

  events.on('instance.started', ({ projectId }) => scheduleStop(projectId))

  return {
    start,
    startLater,
    stop,
    scheduleStop,
    begin: async () => {
      const projects = await repositories.projects.list()
      const closed = projects.filter(({ status, autoOpen, archived }) => status === 'closed' && autoOpen && !archived)
      const problems = await inGroups(closed, async (project): Promise<RestoreProblem[]> => {
        const opened = await openProject(context, project)
        if (opened.isOk()) return []
        const message = `The project could not be opened: ${'message' in opened.error ? opened.error.message : opened.error.type}`
        return [{ projectId: project.id, instance: project.name ?? project.id, message }]
      })
      for (const { id, status, autoStart } of await repositories.projects.list())
        if (status === 'opened' && autoStart) startLater(id)
      return problems.flat()
    },
  }
}
