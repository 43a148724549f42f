import type { Notice } from '../notices/notice.ts'
import { encodeSizes } from '../sizes/encode-sizes.ts'
import { kindNames, noticeData } from '../webhooks/notice-body.ts'
import type { Digest } from './digest-repository.ts'

/** Writes the subject and the body of a digest. */
export function digestText({ notices, total }: Digest): { readonly subject: string; readonly text: string } {
  const lines = notices.map(({ notice }) => lineOf(notice))
  const left = total - notices.length
  return {
    subject: total === 1 ? 'Trivium: 1 notice' : `Trivium: ${total} notices`,
    text: [...lines, ...(left > 0 ? [`and ${left} more`] : []), ''].join('\n'),
  }
}

function lineOf(notice: Notice): string {
  const { svm, volume, ...others } = noticeData(notice)
  const place = [notice.svm?.name, notice.volume?.name].flatMap((name) => name ?? []).join(':')
  const details = Object.entries(others).map(([name, value]) => `${name}=${encodeSizes(value)}`)
  return [notice.at.toISOString(), kindNames[notice.kind], place, ...details].filter((part) => part !== '').join(' ')
}
