import { createClient, expectOk } from '@trivium/http-client'
import { storageContract } from '@trivium/storage-core/http'

/** A tool for operators, on any machine: limits the uploads of a user, and switches quotas on. */
const [user = 'ada', mebibytes = '5'] = process.argv.slice(2)
const storage = createClient(storageContract, {
  baseUrl: process.env.SERVER ?? 'http://127.0.0.1:3000',
  headers: { authorization: `Basic ${btoa(`admin:${process.env.ADMIN_PASSWORD}`)}` },
})

await expectOk(
  storage.createQuotaRule({
    body: {
      svm: { name: 'svm1' },
      volume: { name: 'homes' },
      type: 'user',
      users: [{ name: user }],
      space: { hard_limit: Number(mebibytes) * 2 ** 20 },
    },
  }),
)
// The answer waits until the scan has ended.
await expectOk(
  storage.updateVolumes({ query: { name: 'homes', return_timeout: 15 }, body: { quota: { enabled: true } } }),
)
console.log(`${user} may upload ${mebibytes} MiB`)
