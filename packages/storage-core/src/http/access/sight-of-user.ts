import type { UserCaller } from '@trivium/http-contract'
import { oneOf } from '../../query/query.ts'
import type { Volume } from '../../volumes/volume.ts'
import type { Volumes } from '../../volumes/volumes.ts'
import { isStorable } from '../requests/expand-body.ts'
import type { Sight } from './caller.ts'

/** Databases limit the number of values in a statement. */
const UUIDS_PER_QUERY = 1000

/** Finds what a user sees. `undefined` if they see every volume. */
export async function sightOfUser(
  { volumes: listed = [] }: Pick<UserCaller, 'volumes'>,
  volumes: Pick<Volumes, 'list'>,
): Promise<Sight | undefined> {
  if (listed === 'all') return undefined
  const uuids = [...new Set(listed)].filter(isStorable)
  const found: Volume[] = []
  for (let start = 0; start < uuids.length; start += UUIDS_PER_QUERY) {
    const query = { all: [oneOf('uuid', uuids.slice(start, start + UUIDS_PER_QUERY))] }
    found.push(...(await volumes.list({ query, order: [], limit: UUIDS_PER_QUERY })).records)
  }
  return {
    volumes: found.map(({ uuid }) => uuid),
    svms: [...new Set(found.map(({ svm }) => svm.uuid))],
    nodes: [...new Set(found.map(({ node }) => node.uuid))],
  }
}
