import type { Emit } from '../events/create-events.ts'
import type { Volume, VolumeId } from '../volumes/volume.ts'
import type { Notice } from './notice.ts'

export interface EmitNoticesOptions {
  readonly emit: Emit
  /** The volumes of this process. */
  readonly volumes: ReadonlyMap<VolumeId, Volume>
}

/** Emits the event of each notice. Kinds without an event, and volumes of other processes, are left out. */
export function emitNotices({ emit, volumes }: EmitNoticesOptions): (notice: Notice) => void {
  return (notice) => {
    const volume = notice.volume && volumes.get(notice.volume.uuid)
    if (!volume) return
    switch (notice.kind) {
      case 'soft-limit-exceeded':
      case 'soft-limit-normal': {
        const passed = passedLimit(notice)
        if (passed) emit(`quota.${notice.kind}`, volume, { type: notice.kind, ...passed })
        return
      }
      case 'threshold-exceeded':
      case 'threshold-normal':
      case 'grace-ended':
      case 'enforcement-lost':
      case 'enforcement-restored':
        emit(`quota.${notice.kind}`, { uuid: volume.uuid, name: volume.name }, notice)
    }
  }
}

function passedLimit({ target, principal, limit, used, allowed }: Notice) {
  if (target === undefined || limit === undefined || used === undefined || allowed === undefined) return undefined
  return { target, ...(principal && { principal }), limit, used, allowed }
}
