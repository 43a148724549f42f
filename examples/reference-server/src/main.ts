import { ignoreOutputErrors } from './ignore-output-errors.ts'
import { readSettings } from './read-settings.ts'
import { holdHangup } from './reload/hold-hangup.ts'
import { SettingsError } from './settings.ts'
import { startTour } from './tour.ts'
import { unknownVariables } from './unknown-variables.ts'
import { withProgressLine } from './with-progress-line.ts'

/** How long running answers may continue after SIGTERM. */
const GRACE_SECONDS = 10

ignoreOutputErrors()
const hangup = holdHangup()
try {
  const read = (text?: string) => readSettings(process.argv.slice(2), process.env, text)
  const request = await read()
  if (request.kind !== 'serve') hangup.release()
  if (request.kind === 'print') console.log(request.text)
  else if (request.kind === 'check') {
    const { checkConfiguration } = await import('./check-configuration.ts')
    console.log(await checkConfiguration(request.configuration))
  } else {
    const { startServices } = await withProgressLine('Loading the services', () => import('./start-services.ts'))
    const { configuration } = request
    const running = await startServices(configuration)
    const reloading = configuration.config && (await import('./reload/reload-config.ts'))
    const reloader = reloading?.reloadConfig(configuration, { read, reconfigure: running.reconfigure })
    if (reloader) hangup.pass(reloader.reload)
    else hangup.release()
    // Without a listener the signal would end the process.
    process.on('SIGUSR2', running.restartWorkers ?? (() => console.warn('SIGUSR2 is ignored: there are no workers.')))
    const stop = () => {
      reloader?.close()
      if (reloader) hangup.pass(() => undefined)
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
  hangup.release()
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
