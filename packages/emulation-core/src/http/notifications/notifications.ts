import type { EventEmitter } from 'eventemitter3'
import type { CaptureChange } from '../../events/emulation-events.ts'
import type { Drawing, Emulation, EmulationEvents, Instance, Project, ProjectId } from '../../index.ts'
import type { NicAddress } from '../../ports.ts'
import { toWireDrawing } from '../drawings/to-wire-drawing.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { toWireInstance } from '../kinds/wires.ts'
import { toWireLink } from '../links/link-schemas.ts'
import { toWireNode } from '../nodes/node-schemas.ts'

/** An event of a project, or a ping of the server. */
export interface Notification {
  readonly action: string
  readonly event: unknown
}

export interface NotificationOptions {
  /** The time without notifications after which a ping is sent. The first notification is always a ping. */
  readonly pingSeconds: number
  /** The most waiting notifications of a client. The stream ends when a further one does not fit. */
  readonly backlog: number
}

/** The most characters of SVG in the waiting notifications of a client. A thousand long drawings would be 256 MiB. */
const MOST_CHARACTERS = 2 ** 24

/** @param characters those of a long text in the event */
type Notify = (action: string, event: unknown, characters?: number) => void

type On = <Name extends keyof EmulationEvents>(
  name: Name,
  listener: EventEmitter.EventListener<EmulationEvents, Name>,
) => void

/**
 * Yields the events of a project from now on, until the signal aborts, the project is closed or the backlog is full.
 */
export async function* notifications(
  { events, host }: Emulation,
  projectId: ProjectId,
  signal: AbortSignal,
  { pingSeconds, backlog }: NotificationOptions,
): AsyncGenerator<Notification> {
  const queue: { readonly notification: Notification; readonly characters: number }[] = []
  let waiting = 0
  let ended = false
  let wake = () => {}

  const notify: Notify = (action, event, characters = 0) => {
    if (ended || queue.length >= backlog || waiting + characters > MOST_CHARACTERS) ended = true
    else {
      queue.push({ notification: { action, event }, characters })
      waiting += characters
    }
    wake()
  }
  const end = () => {
    ended = true
    wake()
  }
  const unsubscribe: (() => void)[] = []
  listen(
    projectId,
    (name, listener) => {
      events.on(name, listener)
      unsubscribe.push(() => events.off(name, listener))
    },
    notify,
    end,
  )
  signal.addEventListener('abort', end)

  const ping = async (): Promise<Notification> => {
    const { cpuPercent, memoryPercent } = await host.usage()
    return { action: 'ping', event: { cpu_usage_percent: cpuPercent, memory_usage_percent: memoryPercent } }
  }

  try {
    yield await ping()
    while (!signal.aborted) {
      const next = queue.shift()
      if (next) {
        waiting -= next.characters
        yield next.notification
      } else if (ended) return
      else if (!(await waitForNotification(pingSeconds * 1000))) yield await ping()
    }
  } finally {
    signal.removeEventListener('abort', end)
    for (const stop of unsubscribe) stop()
  }

  /** Resolves with `true` when a notification waits or the stream ends, with `false` after the time. */
  function waitForNotification(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}

function listen(projectId: ProjectId, on: On, notify: Notify, end: () => void): void {
  const ofInstance = (action: string) => (instance: Instance) => {
    if (instance.projectId === projectId) notify(action, toWireInstance(instance))
  }
  const ofDrawing = (action: string) => (drawing: Drawing) => {
    if (drawing.projectId === projectId) notify(action, toWireDrawing(drawing), drawing.svg.length)
  }
  const ofProject =
    (action: string, isLast = false) =>
    ({ id, name, path, temporary, status }: Project) => {
      if (id !== projectId) return
      notify(action, { project_id: id, ...(name !== undefined && { name }), path, status, temporary })
      if (isLast) end()
    }
  const ofCapture =
    (action: string) =>
    (instance: Instance, { nic, capture, limit }: CaptureChange) => {
      if (instance.projectId !== projectId) return
      notify(action, { ...nicOf(instance, nic), capture_file_name: capture.fileName, ...(limit ? { limit } : {}) })
    }
  on('project.updated', ofProject('project.updated'))
  on('project.opened', ofProject('project.opened'))
  on('project.committed', ofProject('project.committed'))
  on('project.closed', ofProject('project.closed', true))
  on('project.deleted', ofProject('project.deleted', true))
  on('instance.created', ofInstance('vm.created'))
  on('instance.updated', ofInstance('vm.updated'))
  on('instance.arranged', (instance) => {
    if (instance.projectId === projectId) notify('node.updated', toWireNode(instance))
  })
  on('instance.deleted', ofInstance('vm.deleted'))
  on('instance.started', ofInstance('vm.started'))
  on('instance.stopped', ofInstance('vm.stopped'))
  on('instance.suspended', ofInstance('vm.paused'))
  on('instance.resumed', ofInstance('vm.started'))
  on('drawing.created', ofDrawing('drawing.created'))
  on('drawing.updated', ofDrawing('drawing.updated'))
  on('drawing.deleted', ofDrawing('drawing.deleted'))
  on('link.changed', (instance, { nic, connection }) => {
    if (instance.projectId !== projectId) return
    if (connection) notify('link.updated', { ...nicOf(instance, nic), ...toWireLink(connection) })
    else notify('link.deleted', nicOf(instance, nic))
  })
  on('capture.started', ofCapture('capture.started'))
  on('capture.stopped', ofCapture('capture.stopped'))
  on('log', ({ projectId: of, level, message }) => {
    if (of === projectId) notify(`log.${level}`, { message })
  })
}

const nicOf = ({ kind, id, name }: Instance, { adapter, port }: NicAddress) => ({
  kind: wireKinds[kind],
  id,
  name,
  adapter_number: adapter,
  port_number: port,
})
