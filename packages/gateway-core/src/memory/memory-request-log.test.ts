import { expect, it } from 'vitest'
import { loggedRequest } from '../conformance/logged-requests.ts'
import { requestLogConformance } from '../conformance/request-log.ts'
import { memoryRequestLog } from './memory-request-log.ts'

requestLogConformance((replicas) => {
  const log = memoryRequestLog()
  return Array.from({ length: replicas }, () => log)
})

it('drops the oldest entries beyond its capacity', async () => {
  const log = memoryRequestLog({ capacity: 2 })
  await log.append([1, 2, 3].map((number) => loggedRequest(number)))
  const { entries } = await log.list({ from: new Date(0), to: new Date('2100-01-01'), limit: 10 })
  expect(entries.map(({ id }) => id)).toEqual([3, 2].map((number) => loggedRequest(number).id))
})
