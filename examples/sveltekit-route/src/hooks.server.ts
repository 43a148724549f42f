import { closeGateway, gateway } from './gateway.ts'

const issued = await gateway.apiKeys.generate({ username: 'me' })
if (issued.isOk()) console.log(`A key for /ai/v1: ${issued.value.secret}`)

process.once('sveltekit:shutdown', closeGateway)
