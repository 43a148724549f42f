import { describe, expect, it } from 'vitest'
import { userAccountId } from '../accounts/account-id.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { LoggedRequest } from '../request-log/logged-request.ts'
import type { LogPlace, RequestLogQuery, RequestLogRepository } from '../request-log/request-log-repository.ts'
import type { UsageId } from '../usage/usage-record.ts'
import { loggedRequest, logTime } from './logged-requests.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const all = { from: logTime(-86_400), to: logTime(86_400) }

/** Registers vitest cases for a `RequestLogRepository`. Each opens an empty store. */
export function requestLogConformance(open: OpenReplicas<RequestLogRepository>): void {
  /** Reads all pages. */
  const listAll = async (
    log: RequestLogRepository,
    query: Partial<RequestLogQuery> = {},
  ): Promise<readonly LoggedRequest[]> => {
    const found: LoggedRequest[] = []
    let after: LogPlace | undefined
    do {
      const page = await log.list({ ...all, limit: 3, ...query, ...(after && { after }) })
      expect(page.entries.length).toBeLessThanOrEqual(query.limit ?? 3)
      found.push(...page.entries)
      after = page.next
    } while (after)
    return found
  }
  const numbersOf = (entries: readonly LoggedRequest[]) => entries.map(({ requestId }) => Number(requestId.slice(4)))

  const full = loggedRequest(5, {
    endUser: 'end user',
    teamId: 'team-1',
    tags: ['a', 'ü b'],
    firstTokenMs: 5,
    cacheHit: true,
    status: 503,
    errorType: 'refused',
    errorMessage: "The upstream's \\ error 🦉",
    refusedBy: 'team',
    attempts: [
      { provider: 'up', cause: 'first', passedOver: 'circuit-open', startMs: 0, durationMs: 0, status: 503 },
      {
        provider: 'other',
        upstreamModel: 'small',
        cause: 'fallback',
        startMs: 1,
        durationMs: 7,
        status: 502,
        errorType: 'unreachable',
        errorMessage: 'No route',
      },
    ],
    omittedAttempts: 3,
    prompt: { text: 'user: Zeile\n"zwei" \u0000\ud800 100%_!', truncated: true },
    answer: { text: 'Grüße', truncated: false },
  })

  describe('request log', () => {
    it('finds an entry as it was appended, in all replicas', async () => {
      const replica = alternating(await open(2))
      await replica(0).append([full, loggedRequest(1)])
      expect(await replica(1).find(full.id)).toEqual(full)
      expect(await replica(1).find('log-absent' as UsageId)).toBeUndefined()
      expect((await replica(1).list({ ...all, limit: 1 })).entries).toEqual([full])
    })

    it('keeps an entry without a model, a key and attempts', async () => {
      const log = await openOne(open)
      const { model: _, keyId: __, personId: ___, provider: ____, ...rest } = loggedRequest(1, { attempts: [] })
      const entry: LoggedRequest = { ...rest, caller: 'user', userId: 'ada' }
      await log.append([entry])
      expect(await log.find(entry.id)).toEqual(entry)
      expect(await listAll(log, { account: userAccountId('ada') })).toEqual([entry])
    })

    it('ignores an entry whose id is stored already', async () => {
      const replica = alternating(await open(3))
      const batch = [1, 2, 3].map((number) => loggedRequest(number))
      await replica(0).append(batch.slice(0, 2))
      await Promise.all([0, 1, 2].map((index) => replica(index).append(batch)))
      await replica(1).append([])
      expect(numbersOf(await listAll(replica(2)))).toEqual([3, 2, 1])
    })

    it('lists the newest entries first, of equal times the largest id first, in pages without gaps', async () => {
      const log = await openOne(open)
      const entries = Array.from({ length: 11 }, (_, number) => loggedRequest(number, { at: logTime(number >> 2) }))
      await log.append(entries)
      for (const limit of [1, 2, 5, 11, 50]) {
        expect(numbersOf(await listAll(log, { limit }))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      }
      expect((await log.list({ ...all, limit: 11 })).next).toBeUndefined()
    })

    it('continues after an entry that was removed', async () => {
      const log = await openOne(open)
      await log.append([1, 3, 5].map((number) => loggedRequest(number)))
      const page = await log.list({ ...all, after: { at: logTime(4), id: 'absent' as UsageId }, limit: 10 })
      expect(numbersOf(page.entries)).toEqual([3, 1])
    })

    it('lists entries from a time on and before another', async () => {
      const log = await openOne(open)
      await log.append([1, 2, 3, 4].map((number) => loggedRequest(number)))
      expect(numbersOf(await listAll(log, { from: logTime(2), to: logTime(4) }))).toEqual([3, 2])
    })

    it.each<[string, Partial<RequestLogQuery>, readonly number[]]>([
      ['key', { account: 'key-2' as ApiKeyId }, [2]],
      ['person', { personId: 'person-2' }, [2]],
      ['team', { teamId: 'team-2' }, [2]],
      ['tag', { tag: 'b' }, [4, 2]],
      ['tag that is part of another', { tag: 'bl' }, []],
      ['model', { model: 'up/small' }, [3]],
      ['model in other letters', { model: 'UP/SMALL' }, []],
      ['provider', { provider: 'other' }, [3]],
      ['status', { status: 404 }, [4]],
      ['class of statuses', { status: '4xx' }, [5, 4]],
      ['operation', { operation: 'embedding' }, [3]],
      ['several filters', { operation: 'chat', status: '4xx', tag: 'b' }, [4]],
    ])('selects entries by %s', async (_, query, expected) => {
      const log = await openOne(open)
      await log.append([
        loggedRequest(1),
        loggedRequest(2, { keyId: 'key-2' as ApiKeyId, personId: 'person-2', teamId: 'team-2', tags: ['a', 'b'] }),
        loggedRequest(3, { model: 'up/small', provider: 'other', operation: 'embedding' }),
        loggedRequest(4, { status: 404, tags: ['b'] }),
        loggedRequest(5, { status: 429, tags: ['blue'] }),
        loggedRequest(6, { status: 500 }),
      ])
      expect(numbersOf(await listAll(log, query))).toEqual(expected)
    })

    it.each<[string, readonly number[]]>([
      ['hello', [3, 1]],
      ['GRÜSSE AUS', []],
      ['GRÜẞE aus', [2]],
      ['no route', [4]],
      ['100%', [3]],
      ['100_', []],
      ['a*b', [2]],
      ['a?b', []],
      ['[x]', [2]],
      ['!', [3]],
      ["o'clock", [1]],
      ['back\\slash', [1]],
    ])('finds the text %s in prompts, answers and errors, character by character', async (text, expected) => {
      const log = await openOne(open)
      await log.append([
        loggedRequest(1, { prompt: { text: "user: Hello at 5 o'clock back\\slash", truncated: false } }),
        loggedRequest(2, { answer: { text: 'Viele Grüße aus a*b [x]', truncated: false } }),
        loggedRequest(3, { prompt: { text: 'hello 100% sure!', truncated: true } }),
        loggedRequest(4, { status: 502, errorType: 'unreachable', errorMessage: 'No route' }),
        loggedRequest(5),
      ])
      expect(numbersOf(await listAll(log, { text }))).toEqual(expected)
    })

    it('reaches an entry that a text selects among many others', async () => {
      const log = await openOne(open)
      const entries = Array.from({ length: 300 }, (_, number) => loggedRequest(number))
      await log.append([loggedRequest(-1, { errorMessage: 'rare', errorType: 'refused' }), ...entries.slice(0, 150)])
      await log.append(entries.slice(150))
      expect(numbersOf(await listAll(log, { text: 'rare', limit: 100 }))).toEqual([-1])
    })

    it('removes the entries before a time, and returns their number', async () => {
      const replica = alternating(await open(2))
      await replica(0).append(Array.from({ length: 20 }, (_, number) => loggedRequest(number)))
      expect(await replica(1).removeBefore(logTime(15))).toBe(15)
      expect(await replica(0).removeBefore(logTime(15))).toBe(0)
      expect(numbersOf(await listAll(replica(0)))).toEqual([19, 18, 17, 16, 15])
    })
  })
}
