import type { Emulation, Instance } from '@trivium/emulation-core'
import type { NewActivity } from './activity.ts'
import { createDigest } from './digest.ts'

const idsOf = ({ projectId, id }: Instance) => ({ project: projectId, instance: id })

/**
 * Reports the events of an emulation service. Changes of links are gathered by instance and changes
 * of places by project, and reported at most once a second.
 */
export function reportEmulation({ events }: Emulation, report: (activity: NewActivity) => void): void {
  const reportActivity = (activity: Omit<NewActivity<'emulation'>, 'service'>) =>
    report({ service: 'emulation', ...activity })

  for (const [type, words] of [
    ['project.created', 'was created'],
    ['project.updated', 'was changed'],
    ['project.opened', 'was opened'],
    ['project.committed', 'was committed'],
    ['project.closed', 'was closed'],
    ['project.deleted', 'was deleted'],
  ] as const) {
    events.on(type, ({ id }) =>
      reportActivity({ type, summary: `Project ${id} ${words}`, topics: ['projects'], ids: { project: id } }),
    )
  }

  for (const [type, words] of [
    ['instance.updated', 'was changed'],
    ['instance.suspended', 'was suspended'],
    ['instance.resumed', 'was resumed'],
  ] as const) {
    events.on(type, (instance) =>
      reportActivity({ type, summary: `${instance.name} ${words}`, topics: ['instances'], ids: idsOf(instance) }),
    )
  }
  events.on('instance.created', (instance) => {
    const summary = `${instance.name} was created`
    reportActivity({ type: 'instance.created', summary, topics: ['instances', 'places'], ids: idsOf(instance) })
  })
  events.on('instance.started', (instance) =>
    reportActivity({
      type: 'instance.started',
      summary: `${instance.name} was started`,
      topics: ['instances'],
      ids: idsOf(instance),
    }),
  )
  events.on('instance.deleted', (instance) => {
    const summary = `${instance.name} was deleted`
    reportActivity({ type: 'instance.deleted', summary, topics: ['instances', 'links'], ids: idsOf(instance) })
  })
  events.on('instance.stopped', (instance, { unexpected }) => {
    const summary = `${instance.name} ${unexpected ? 'ended unexpectedly' : 'was stopped'}`
    reportActivity({ type: 'instance.stopped', summary, topics: ['instances', 'captures'], ids: idsOf(instance) })
  })

  const moved = createDigest<number>((counts) => {
    for (const [project, count] of counts) {
      const summary = `${count === 1 ? 'An instance' : `${count} instances`} of project ${project} moved`
      reportActivity({ type: 'instance.arranged', summary, topics: ['places'], ids: { project } })
    }
  })
  events.on('instance.arranged', ({ projectId }) => moved.add(projectId, (count = 0) => count + 1))
  const links = createDigest<Instance>((instances) => {
    for (const instance of instances.values()) {
      const summary = `The links of ${instance.name} changed`
      reportActivity({ type: 'link.changed', summary, topics: ['links', 'instances'], ids: idsOf(instance) })
    }
  })
  events.on('link.changed', (instance) => links.add(instance.id, () => instance))
  events.on('capture.started', (instance, { capture }) => {
    const summary = `The capture ${capture.fileName} at ${instance.name} started`
    reportActivity({ type: 'capture.started', summary, topics: ['captures', 'links'], ids: idsOf(instance) })
  })
  events.on('capture.stopped', (instance, { capture }) => {
    const summary = `The capture ${capture.fileName} at ${instance.name} stopped`
    reportActivity({ type: 'capture.stopped', summary, topics: ['captures', 'links'], ids: idsOf(instance) })
  })
  events.on('disk-image.changed', (name, change) => {
    const summary = `The disk image ${name} was ${change}`
    reportActivity({ type: 'disk-image.changed', summary, topics: ['disk-images'], ids: {} })
  })
  events.on('log', ({ projectId, level, message }) =>
    reportActivity({ type: `log.${level}`, summary: message, topics: ['log'], ids: { project: projectId } }),
  )
}
