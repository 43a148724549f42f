import type { EventEmitter } from 'eventemitter3'
import type { StorageEvents } from '../events/storage-events.ts'
import type { Volume } from '../volumes/volume.ts'
import type { QuotaNotice } from '../volumes/volume-backend.ts'
import type { VolumeRepository } from '../volumes/volume-repository.ts'
import type { Notice, PublishNotice } from './notice.ts'

export interface PublishEventsOptions {
  readonly events: EventEmitter<StorageEvents>
  readonly volumes: Pick<VolumeRepository, 'find'>
  readonly publish: PublishNotice
  readonly newId: () => string
  readonly now: () => Date
  /** Receives a publication that failed. The notice is then lost. */
  readonly onFault: (error: unknown) => void
}

/**
 * Publishes the events of this process that operators want to be notified of.
 *
 * @returns a function that resolves when the publications of the events so far have ended
 */
export function publishEvents(options: PublishEventsOptions): () => Promise<void> {
  const { events, volumes, publish, newId, now, onFault } = options
  const running = new Set<Promise<void>>()
  const run = (work: Promise<void>): void => {
    const watched = work.catch(onFault).finally(() => running.delete(watched))
    running.add(watched)
  }
  const send = (notice: Notice) => run(publish(notice))

  const softLimit =
    (kind: 'soft-limit-exceeded' | 'soft-limit-normal') =>
    (volume: Volume, { target, principal, limit, used, allowed }: QuotaNotice) =>
      send({
        id: `${kind}-${newId()}`,
        kind,
        at: now(),
        svm: volume.svm,
        volume: { uuid: volume.uuid, name: volume.name },
        target,
        ...(principal && { principal }),
        limit,
        used,
        allowed,
      })
  events.on('quota.soft-limit-exceeded', softLimit('soft-limit-exceeded'))
  events.on('quota.soft-limit-normal', softLimit('soft-limit-normal'))

  events.on('split.done', ({ uuid, svm, volume, path }) =>
    send({ id: `split-done-${uuid}`, kind: 'split-done', at: now(), svm, volume, path }),
  )

  events.on('volume.state-changed', ({ uuid, name }, state) => {
    const kind = state === 'online' ? 'enforcement-restored' : 'enforcement-lost'
    const notice: Notice = { id: `${kind}-${newId()}`, kind, at: now(), volume: { uuid, name } }
    const withReason = state === 'online' ? notice : { ...notice, reason: 'The file system is unavailable.' }
    run(volumes.find(uuid).then((volume) => publish(volume ? { ...withReason, svm: volume.svm } : withReason)))
  })

  return async () => {
    await Promise.all(running)
  }
}
