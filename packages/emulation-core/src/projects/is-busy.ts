import type { Context } from '../context.ts'
import type { Project } from './project.ts'

/** Whether an instance or a capture of the project runs. Switches, which always run, do not count. */
export const isBusy = ({ liveCounts, captureFiles }: Context, { id }: Pick<Project, 'id'>): boolean =>
  captureFiles.any(id) || liveCounts.running(id) > 0
