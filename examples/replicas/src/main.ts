import { join } from 'node:path'
import { readSettings } from './settings.ts'
import { startTogether } from './start-together.ts'

const settings = readSettings(process.env)
const passwordFile = join(settings.dataDirectory, 'admin-password')
const running = startTogether(settings)
let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  await (await running).stop()
}
process.on('SIGTERM', stop).on('SIGINT', stop)

try {
  const { url, ports, ended } = await running
  console.log(`Three replicas (ports ${ports.join(', ')}) answer as one on ${url}`)
  console.log(
    `The admin's password is ${settings.environment.TRIVIUM_ADMIN_PASSWORD ? 'in TRIVIUM_ADMIN_PASSWORD' : `in ${passwordFile}`}`,
  )
  await ended
  if (!stopping) {
    console.error('nginx has ended. The replicas are stopped.')
    process.exitCode = 1
    await stop()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
