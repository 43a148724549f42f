import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstanceId } from '@trivium/emulation-core'
import { Refusal } from '@trivium/emulation-core/ports'
import { writePlainFile } from '../processes/write-plain-file.ts'
import { parseMachineList } from './machine-readable.ts'
import type { VBoxManage } from './vbox-manage.ts'

const BASE_SNAPSHOT = 'GNS3 Linked Base for clones'
/** GNS3 uses the same key, and does not list such VMs. */
export const CLONE_MARK = 'GNS3/Clone'
/** A file in the directory of the instance. It exists once a clone was registered. */
const CLONE_FILE = 'linked-clone'

export interface LinkedCloneOptions {
  /** Also the UUID of the clone, so that it is never confused with a VM of the user. */
  readonly id: InstanceId
  readonly directory: string
  readonly cloneOf: string
  readonly name: string
}

/** Creates the clone unless it is registered. @returns the id of the clone in VirtualBox */
export async function ensureLinkedClone(manage: VBoxManage, options: LinkedCloneOptions): Promise<string> {
  const { id, directory, cloneOf } = options
  if ((await manage.describe(id)) !== undefined) return id
  const source = await manage.describe(cloneOf)
  if (source === undefined) throw new Refusal('unusable-image', `There is no VirtualBox VM '${cloneOf}'.`)
  const hasBase = [...source].some(([key, value]) => key.startsWith('SnapshotName') && value === BASE_SNAPSHOT)
  if (!hasBase) await manage.run('snapshot', cloneOf, 'take', BASE_SNAPSHOT)
  const taken = parseMachineList(await manage.run('list', 'vms')).some(({ name }) => name === options.name)
  const name = taken ? `${options.name}-${id.slice(0, 8)}` : options.name
  await writePlainFile(join(directory, CLONE_FILE), id)
  await manage.run(
    ...['clonevm', cloneOf, '--snapshot', BASE_SNAPSHOT, '--options', 'link'],
    ...['--name', name, '--uuid', id, '--basefolder', directory, '--register'],
  )
  await manage.run('setextradata', id, CLONE_MARK, 'yes')
  await manage.run('snapshot', id, 'take', 'reset')
  return id
}

/** Unregisters and deletes the clone of an instance. Does not need VirtualBox for an instance without a clone. */
export async function removeLinkedClone(
  manage: VBoxManage,
  { id, directory }: { readonly id: InstanceId; readonly directory: string },
): Promise<void> {
  const made = await stat(join(directory, CLONE_FILE)).catch(() => undefined)
  if (made === undefined || (await manage.describe(id)) === undefined) return
  await manage.run('unregistervm', id, '--delete')
}
