import { err, ok, ResultAsync } from 'neverthrow'
import { oneOf } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { Svm, SvmId } from '../svms/svm.ts'
import type { Volume, VolumeId } from './volume.ts'

/** A volume by id or name, with its SVM by id or name. An id and a name together must belong to the same record. */
export interface NamedVolume {
  readonly svm?: Named
  readonly volume?: Named
  /** The volumes that are searched. Others count as absent, as do SVMs that have none of them. @default every volume */
  readonly among?: readonly VolumeId[]
}

/** A record by id, by name or by both. */
export interface Named {
  readonly uuid?: string
  readonly name?: string
}

/** Why a volume of a request is not found. */
export type FindVolumeError =
  | { readonly type: 'svm-missing' }
  | { readonly type: 'svm-not-found'; readonly svm: string }
  | { readonly type: 'svm-mismatch'; readonly uuid: string; readonly name: string }
  | { readonly type: 'volume-missing' }
  | { readonly type: 'volume-not-found'; readonly volume: string }
  | { readonly type: 'volume-mismatch'; readonly uuid: string; readonly name: string }

type Stores = Pick<StorageRepositories, 'svms' | 'volumes'>

/** Finds a volume. Without an SVM, its id is enough, or a name that only one SVM uses. */
export function findVolume(
  stores: Stores,
  { svm, volume, among }: NamedVolume,
  { needsSvm = false } = {},
): ResultAsync<Volume, FindVolumeError> {
  return new ResultAsync(
    (async () => {
      const hasSvm = svm?.uuid !== undefined || svm?.name !== undefined
      if (!hasSvm && needsSvm) return err({ type: 'svm-missing' } as const)
      if (volume?.uuid === undefined && volume?.name === undefined) return err({ type: 'volume-missing' } as const)
      const owner = hasSvm ? await findSvm(stores, svm, among) : ok(undefined)
      if (owner.isErr()) return err(owner.error)
      const found = await lookUp(stores, volume, owner.value, among)
      if (!found) return err({ type: 'volume-not-found', volume: volume.name ?? volume.uuid ?? '' } as const)
      if (volume.name !== undefined && found.name !== volume.name) {
        return err({ type: 'volume-mismatch', uuid: found.uuid, name: volume.name } as const)
      }
      if (owner.value && found.svm.uuid !== owner.value.uuid) {
        return err({ type: 'volume-not-found', volume: volume.name ?? found.name } as const)
      }
      return ok(found)
    })(),
  )
}

async function findSvm({ svms, volumes }: Stores, { uuid, name }: Named, among: NamedVolume['among']) {
  // An id of a client is a text, and is looked up unchecked.
  const found = uuid === undefined ? await svms.findByName(name ?? '') : await svms.find(uuid as SvmId)
  const isVisible =
    found && (!among || (await volumes.count({ all: [oneOf('svmUuid', [found.uuid]), oneOf('uuid', among)] })) > 0)
  if (!isVisible) return err({ type: 'svm-not-found', svm: name ?? uuid ?? '' } as const)
  if (name !== undefined && found.name !== name) return err({ type: 'svm-mismatch', uuid: found.uuid, name } as const)
  return ok(found)
}

async function lookUp(
  { volumes }: Stores,
  { uuid, name }: Named,
  svm: Svm | undefined,
  among: NamedVolume['among'],
): Promise<Volume | undefined> {
  const visible = (volume: Volume | undefined) =>
    volume && among?.includes(volume.uuid) === false ? undefined : volume
  if (uuid !== undefined) return visible(await volumes.find(uuid as VolumeId)) // an id of a client
  if (svm) return visible(await volumes.findByName(svm.uuid, name ?? ''))
  const all = [oneOf('name', [name ?? '']), ...(among ? [oneOf('uuid', among)] : [])]
  const { records } = await volumes.list({ query: { all }, order: [], limit: 2 })
  return records.length === 1 ? records[0] : undefined
}
