import { type FSWatcher, realpathSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** How long no change must follow, so that a file is read when it was written completely. */
const QUIET_MS = 200

/** The longest wait while changes follow, such as those of other files in the directory. */
const MOST_MS = 2000

export interface WatchedFile {
  close(): void
}

/**
 * Calls `onChange` some time after a file was written or replaced. It watches directories, because editors and Kubernetes
 * replace the file, or a link that leads to it.
 *
 * @param onFault called where the operating system cannot watch
 */
export function watchFile(file: string, onChange: () => void, onFault: (error: unknown) => void): WatchedFile {
  const watchers = new Map<string, FSWatcher>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest: number | undefined

  const changed = () => {
    const now = performance.now()
    latest ??= now + MOST_MS
    clearTimeout(timer)
    timer = setTimeout(pass, Math.max(0, Math.min(QUIET_MS, latest - now)))
  }

  const pass = () => {
    latest = undefined
    follow()
    onChange()
  }

  /** Watches the directory of the file, and that to which links lead now. */
  const follow = () => {
    const wanted = directoriesOf(file)
    for (const [directory, watcher] of watchers) {
      if (wanted.has(directory)) continue
      watcher.close()
      watchers.delete(directory)
    }
    for (const directory of wanted) if (!watchers.has(directory)) open(directory)
  }

  const open = (directory: string) => {
    try {
      const watcher = watch(directory, { persistent: false }, changed)
      watcher.on('error', onFault)
      watchers.set(directory, watcher)
    } catch (error) {
      onFault(error)
    }
  }

  follow()
  return {
    close() {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

function directoriesOf(file: string): ReadonlySet<string> {
  const directories = new Set([dirname(resolve(file))])
  try {
    directories.add(dirname(realpathSync(file)))
  } catch {
    // The file is being replaced. Its directory reports that.
  }
  return directories
}
