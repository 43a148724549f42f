import type { NoticeRepository } from '../notices/notice-repository.ts'
import { noticeFields, type StoredNotice } from '../notices/stored-notice.ts'
import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { dueAt, holdoffGroup, receives } from '../webhooks/webhook.ts'
import type { WebhookLedger } from './webhook-ledger.ts'

/** Stores notices in memory until the process ends. Returns copies. */
export function memoryNotices({ webhooks, notices }: WebhookLedger): NoticeRepository {
  let last = 0

  function remove({ number, notice }: StoredNotice): void {
    notices.delete(notice.id)
    for (const { deliveries } of webhooks.values()) deliveries.delete(number)
  }

  return {
    async publish(notice, now) {
      if (notices.has(notice.id)) return 'known'
      last += 1
      notices.set(notice.id, { number: last, notice: structuredClone(notice) })
      const group = holdoffGroup(notice)
      for (const { webhook, deliveries } of webhooks.values()) {
        if (!receives(webhook, notice)) continue
        let due = dueAt(webhook, group, now)
        for (const [number, held] of deliveries) {
          if (group === undefined || held.group !== group || held.state !== 'pending' || held.dueAt <= now) continue
          deliveries.delete(number)
          due = held.dueAt
        }
        const made = { noticeNumber: last, noticeId: notice.id, kind: notice.kind, tries: 0 } as const
        deliveries.set(last, { ...made, state: 'pending', dueAt: due, group })
      }
      return 'published'
    },
    async list(request) {
      return structuredClone(pageInMemory(noticeFields, notices.values(), request))
    },
    async count(query) {
      return [...notices.values()].filter(compileQuery(noticeFields, query)).length
    },
    async trim(before, maximum) {
      const old = [...notices.values()].filter(({ number, notice }) => notice.at < before || number <= last - maximum)
      for (const stored of old) remove(stored)
      return old.length
    },
  }
}
