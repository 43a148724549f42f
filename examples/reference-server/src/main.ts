import { announced } from './announced.ts'
import { outliveOutput } from './outlive-output.ts'
import { readSettings, SettingsError } from './settings.ts'
import { guidedTour } from './tour.ts'
import { unknownVariables } from './unknown-variables.ts'
import { version } from './version.ts'

/** How long running answers may continue after SIGTERM. */
const DRAIN_MS = 10_000

outliveOutput()
try {
  const request = readSettings(process.argv.slice(2), process.env)
  if (request.kind === 'help') console.log(request.text)
  else if (request.kind === 'version') console.log(version)
  else {
    const { startServices } = await announced('Loading the services', () => import('./start-services.ts'))
    const running = await startServices(request.settings)
    const stop = () => {
      process.removeListener('SIGTERM', stop).removeListener('SIGINT', stop)
      announced(
        `Finishing the running answers, for at most ${DRAIN_MS / 1000} seconds (press Ctrl+C again to stop immediately)`,
        () => running.close(DRAIN_MS),
      ).catch((error: unknown) => {
        console.error(error)
        process.exitCode = 1
      })
    }
    process.once('SIGTERM', stop).once('SIGINT', stop)
    for (const warning of [...unknownVariables(process.env), ...running.warnings]) console.warn(warning)
    console.log(guidedTour(running))
  }
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
