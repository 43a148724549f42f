import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryQuotaRules } from '../src/conformance/arbitrary-quota-rules.ts'
import { MINIMUM_SPACE_LIMIT, softLimitAboveHard } from '../src/quota-rules/check-limits.ts'
import { checkTarget } from '../src/quota-rules/check-target.ts'
import type { QuotaRule } from '../src/quota-rules/quota-rule.ts'
import { isSameRule } from '../src/quota-rules/same-rule.ts'
import { openHttp, RULES } from './open-http.ts'

/** The rules that a client could have created: those of a store may have limits and names that requests cannot. */
function isCreatable({ target, limits, userMapping, gracePeriodSeconds }: QuotaRule): boolean {
  const request =
    target.type === 'tree'
      ? target
      : { ...target, ...(target.type === 'user' && userMapping !== undefined && { userMapping }) }
  const { spaceHard = MINIMUM_SPACE_LIMIT, spaceSoft = MINIMUM_SPACE_LIMIT, filesHard, filesSoft } = limits
  return (
    checkTarget(request).match(
      (checked) => isSameRule(checked, target),
      () => false,
    ) &&
    spaceHard >= MINIMUM_SPACE_LIMIT &&
    spaceSoft >= MINIMUM_SPACE_LIMIT &&
    gracePeriodSeconds !== 0 &&
    filesHard !== 0 &&
    filesSoft !== 0 &&
    softLimitAboveHard(limits) === undefined
  )
}

const types = { csv: 'text/csv', jsonl: 'application/jsonl' }

it('imports an export as it is stored, into the same storage and into an empty one', async () => {
  const [http, empty] = [await openHttp(), await openHttp({ repositories: memoryStorageRepositories() })]
  const { svm, uuid, name } = http.vol1
  const rulesOf = async ({ get }: typeof http) =>
    (
      await get(
        `${RULES}?fields=*,!uuid,!svm.uuid,!volume.uuid,!qtree.id&order_by=qtree.name,group.name,space.hard_limit`,
        { accept: 'application/json' },
      )
    ).body.records
  const clear = async ({ storage }: typeof http) => {
    const { records } = await storage.quotaRules.list({ query: { all: [] }, order: [], limit: 100 })
    for (const rule of records) await storage.quotaRules.delete(rule.uuid)
  }
  await fc.assert(
    fc.asyncProperty(arbitraryQuotaRules({ maxLength: 12 }), fc.constantFrom('csv', 'jsonl'), async (rules, format) => {
      const keys = new Set<string>()
      const own = rules.filter((rule) => {
        const key = JSON.stringify(rule.target)
        return rule.volume.name === rules[0]?.volume.name && isCreatable(rule) && !keys.has(key) && keys.add(key)
      })
      await clear(http)
      await clear(empty)
      for (const rule of own) {
        const { qtreeId: _, userMapping, ...rest } = rule
        const mapping = rule.target.type === 'user' && userMapping !== undefined ? { userMapping } : {}
        await http.repositories.quotaRules.add({ ...rest, ...mapping, svm, volume: { uuid, name } })
      }
      const { text } = await http.get(`${RULES}/export?format=${format}`)
      const options = { body: text, headers: { 'content-type': types[format] } }
      const again = await http.ask(
        'POST',
        `${RULES}/import?delete_missing=true&svm.name=svm1&volume.name=vol1`,
        options,
      )
      expect(again.body).toMatchObject({ num_records: 0, num_unchanged: own.length })
      const copied = await empty.ask('POST', `${RULES}/import`, options)
      expect(copied.status).toBe(200)
      expect(copied.body.num_created).toBe(own.length)
      const missing = await empty.ask('POST', `${RULES}/import?delete_missing=true&dry_run=true`, options)
      expect(missing.body.num_created + missing.body.num_modified).toBe(0)
      const before = await rulesOf(http)
      // Beside explicit rules, an import creates the default rules that a store can lack.
      expect(await rulesOf(empty)).toEqual(expect.arrayContaining(before))
    }),
    { numRuns: 150 },
  )
})
