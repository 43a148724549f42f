import { readText } from '../config/read/read-text.ts'
import type { Configuration, Request } from '../read-settings.ts'
import { SettingsError } from '../settings.ts'
import { watchFile } from './watch-file.ts'

export interface ReloadParts {
  /** Reads the settings as at the start, with this content of the file, or for `undefined` with the file. */
  readonly read: (text: string | undefined) => Promise<Request>
  /** Takes them over. @returns a line for the operator */
  readonly reconfigure: (configuration: Configuration) => Promise<string>
}

/** The least time between two loads, so that many signals do not hold the server. */
const PAUSE_MS = 1000

/** How long a file must stay the same. The beginning of a file is mostly valid, too. */
const SETTLE_MS = 1000

export interface Reloader {
  /** Loads the file, unless it is the one that is used. */
  reload(): void
  close(): void
}

/**
 * Loads the file again when it changes, also since its configuration was read, and when it is asked to. A file that still
 * changes is not read. A file with mistakes changes nothing, and its mistakes are printed.
 */
export function reloadConfig({ config }: Configuration, { read, reconfigure }: ReloadParts): Reloader {
  if (!config) return { reload: () => undefined, close: () => undefined }
  const { file } = config
  let loaded: string | undefined = config.text
  let isLoading = false
  let isRequested = false
  let isUsed = true
  let isClosed = false
  let pause: ReturnType<typeof setTimeout> | undefined

  /** Returns the text once it is the same twice. */
  const settledText = async (): Promise<string | undefined> => {
    let text = textOf(file)
    let before: string | undefined
    do {
      before = text
      await new Promise((resolve) => {
        pause = setTimeout(resolve, SETTLE_MS)
      })
      text = textOf(file)
    } while (text !== before)
    return text
  }

  const load = async (): Promise<void> => {
    const text = await settledText()
    isRequested = false
    if (isUsed && text !== undefined && text === loaded) {
      console.log('The configuration has not changed.')
      return
    }
    loaded = text
    isUsed = false
    try {
      const request = await read(text)
      if ('configuration' in request) {
        loaded = request.configuration.config?.text
        console.log(await reconfigure(request.configuration))
      }
      isUsed = true
    } catch (error) {
      if (error instanceof SettingsError) {
        console.error(`The configuration was not loaded again. The one before stays.\n${error.message}`)
      } else console.error('The configuration was not loaded again. The one before stays.', error)
    }
  }

  /** Loads once more, after a pause, where it is requested meanwhile. */
  const reload = async (): Promise<void> => {
    isRequested = true
    if (isLoading) return
    isLoading = true
    await load()
    if (isClosed) return
    pause = setTimeout(() => {
      isLoading = false
      if (isRequested) void reload()
    }, PAUSE_MS)
  }
  const reloadChanged = () => {
    if (textOf(file) !== loaded) void reload()
  }
  const watched = watchFile(file, reloadChanged, (error) =>
    console.warn(
      `Warning: Changes of "${file}" are not noticed (${error instanceof Error ? error.message : error}). Send SIGHUP to load it again.`,
    ),
  )
  // It may have changed during the start.
  reloadChanged()
  return {
    reload: () => void reload(),
    close() {
      isClosed = true
      clearTimeout(pause)
      watched.close()
    },
  }
}

/** `undefined` for a file that cannot be read, which the next load reports. */
function textOf(file: string): string | undefined {
  try {
    return readText(file)
  } catch {
    return undefined
  }
}
