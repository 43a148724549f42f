import { createGateway, type GatewayCall } from '@trivium/gateway-core'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { fakeProvider } from './fake-provider.ts'

/** One of several processes with one store: creates a key, or sends 40 requests with a key and prints how many are admitted. */
const [file, action, value = ''] = process.argv.slice(2)
const database = await openDatabase(`sqlite:${file}`)
await migrateGateway(database)
const gateway = createGateway({ repositories: sqlGatewayRepositories(database), providers: [fakeProvider()] })

if (action === 'generate') {
  const { secret } = (await gateway.apiKeys.generate({ username: 'ada', rateLimit: Number(value) }))._unsafeUnwrap()
  console.log(secret)
} else {
  const key = (await gateway.apiKeys.authenticate(value))._unsafeUnwrap()
  const body = { model: 'up/big', messages: [{ role: 'user', content: 'Hello' } as const] }
  const ask = (index: number) => {
    const call: GatewayCall = {
      requestId: String(index),
      caller: { type: 'key', key },
      signal: new AbortController().signal,
    }
    return gateway.chat.complete(call, { body, raw: undefined })
  }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index)))
  console.log(answers.filter((answer) => answer.isOk()).length)
}
await gateway.close()
await database.close()
