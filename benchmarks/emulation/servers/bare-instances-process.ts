import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

const [file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec(`pragma journal_mode = wal; pragma synchronous = normal;
  create table if not exists instances (id text primary key, document text not null)`)
const insert = database.prepare('insert into instances values (?, ?)')
const replace = database.prepare('update instances set document = ? where id = ?')
const remove = database.prepare('delete from instances where id = ?')
const find = database.prepare('select document from instances where id = ?')
const list = database.prepare('select document from instances')

/** The minimal server of instances: one document each in a table, without checks. */
const server = createServer(async (request, response) => {
  const id = request.url?.split('/')[2]
  const answer = id === undefined ? await collection(request) : await item(request, id)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
  response.end(answer)
})

async function collection(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET') return `[${list.all().map(({ document }) => document)}]`
  const id = randomUUID()
  const document = JSON.stringify({ ...(await bodyOf(request)), vm_id: id })
  insert.run(id, document)
  return document
}

async function item(request: IncomingMessage, id: string): Promise<string> {
  if (request.method === 'DELETE') {
    remove.run(id)
    return '{}'
  }
  const document = String(find.get(id)?.document)
  if (request.method === 'GET') return document
  const changed = JSON.stringify({ ...JSON.parse(document), ...(await bodyOf(request)) })
  replace.run(changed, id)
  return changed
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Object(JSON.parse(Buffer.concat(pieces).toString()))
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
// A server that listens on a port has an address.
console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
