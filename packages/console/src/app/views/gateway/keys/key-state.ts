import { formatTime } from '../../../components/format.ts'
import type { Tone } from '../../../components/status-mark.tsx'
import type { Key } from './use-keys.ts'

/** Returns whether a key is used now, in words. Whether its team or its user is disabled is not known here. */
export function stateOf(
  { revoked_at: revoked, expires_at: expires, disabled }: Pick<Key, 'revoked_at' | 'expires_at' | 'disabled'>,
  now: Date,
): readonly [Tone, string] {
  if (revoked !== null) return ['quiet', 'revoked']
  if (expires !== null && new Date(expires) <= now) return ['warn', 'expired']
  if (disabled) return ['warn', 'disabled']
  return ['good', expires === null ? 'valid' : `until ${formatTime(expires)}`]
}
