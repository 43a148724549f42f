import { type LimitSubject, subjectKey } from '../limit-states/limit-state.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { NoticeKind } from './notice.ts'

export interface NoticeIdParts {
  readonly kind: NoticeKind
  readonly volume: VolumeId
  readonly subject: LimitSubject
  readonly sequence: number
  readonly percent?: number | undefined
}

/** Returns the id of a notice: the same for the same parts, of at most 128 characters. */
export async function noticeId({ kind, volume, subject, sequence, percent }: NoticeIdParts): Promise<string> {
  const text = new TextEncoder().encode(`${volume} ${subjectKey(subject)}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  const hash = Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [kind, hash, sequence, ...(percent === undefined ? [] : [percent])].join('/')
}
