import type { ApiKey } from '../api-keys/api-key.ts'
import type { Group } from './group.ts'

/** Returns the team of a key whose user is one of its owners. */
export const ownTeam = ({ userId, groups }: ApiKey): Group | undefined =>
  groups?.find(({ kind, owners }) => kind === 'team' && owners.some((owner) => owner === userId))
