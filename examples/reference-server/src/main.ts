import { ignoreOutputErrors } from './ignore-output-errors.ts'
import { readSettings, SettingsError } from './settings.ts'
import { startTour } from './tour.ts'
import { unknownVariables } from './unknown-variables.ts'
import { version } from './version.ts'
import { withProgressLine } from './with-progress-line.ts'

/** How long running answers may continue after SIGTERM. */
const GRACE_SECONDS = 10

ignoreOutputErrors()
try {
  const request = readSettings(process.argv.slice(2), process.env)
  if (request.kind === 'help') console.log(request.text)
  else if (request.kind === 'version') console.log(version)
  else {
    const { startServices } = await withProgressLine('Loading the services', () => import('./start-services.ts'))
    const running = await startServices(request.settings)
    const stop = () => {
      process.removeListener('SIGTERM', stop).removeListener('SIGINT', stop)
      withProgressLine(
        `Finishing the running answers, for at most ${GRACE_SECONDS} seconds (press Ctrl+C again to stop immediately)`,
        () => running.close(GRACE_SECONDS),
      ).catch((error: unknown) => {
        console.error(error)
        process.exitCode = 1
      })
    }
    process.once('SIGTERM', stop).once('SIGINT', stop)
    for (const warning of [...unknownVariables(process.env), ...running.warnings]) console.warn(warning)
    console.log(startTour(running))
  }
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
