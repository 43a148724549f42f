import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { openBare } from '../../databases/bare-driver.ts'

const PAGE = 1_000

const [url = ''] = process.argv.slice(2)
const database = await openBare(url)
const rows = v.array(v.looseObject({ uuid: v.string() }))
// `is true` keeps the scan, as the reference server does: two indexes joined by `or` are slower.
const LIMITED = '((space_hard > ? or space_hard is null) is true)'

/** The minimal server of the same table: two prepared statements, and rows without changes. */
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const answer = JSON.stringify(pathname === '/count' ? await count() : await page(searchParams.get('start') ?? ''))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
  response.end(answer)
})

const count = () => database.query(`select count(*) as records from storage_quota_rules where ${LIMITED}`, [5])

async function page(start: string) {
  const found = await database.query(
    `select * from storage_quota_rules where ${LIMITED} and uuid >= ? order by uuid limit ?`,
    [5, start, PAGE + 1],
  )
  const records = v.parse(rows, found)
  const next = records[PAGE]
  return {
    records: records.slice(0, PAGE),
    num_records: Math.min(records.length, PAGE),
    ...(next && { _links: { next: { href: `/page?start=${next.uuid}` } } }),
  }
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
// A server that listens on a port has an address.
console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
