import { spawnSync } from 'node:child_process'
import { accessSync, constants, lstatSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

// The server has 1,500 modules, which take longer to find than to run. A bundle has them in a few files, and is made again
// after one of them has changed.
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns the address of an entry in a bundle; `undefined` where none can be made, as in a tree that is read-only. */
export function bundled(entry) {
  const sort = import.meta.resolve('@trivium/gateway-core').endsWith('.ts') ? 'sources' : 'built'
  const directory = `${root}node_modules/.cache/trivium/${sort}`
  if (!foldersOf(sort).every(isTrusted)) return undefined
  const known = freshEntry(directory, entry)
  if (known !== undefined || !canBundle()) return known
  if (process.stdout.isTTY) console.log('Preparing the start, once after each change of the sources …')
  const builder = fileURLToPath(new URL('write-bundle.ts', import.meta.url))
  spawnSync(process.execPath, [builder, directory, sort, root], { stdio: ['ignore', 'ignore', 'inherit'] })
  return freshEntry(directory, entry)
}

function freshEntry(directory, entry) {
  let record
  try {
    record = JSON.parse(readFileSync(`${directory}/inputs.json`, 'utf8'))
  } catch {
    return undefined
  }
  // The bundle names files of the tree by their whole paths.
  if (record.root !== root) return undefined
  for (const [path, changedMs, bytes] of record.inputs) {
    const input = statSync(root + path, { throwIfNoEntry: false })
    if (input === undefined || input.mtimeMs !== changedMs || input.size !== bytes) return undefined
  }
  const output = record.entries[entry]
  return output === undefined ? undefined : pathToFileURL(`${directory}/${output}`).href
}

const foldersOf = (sort) =>
  ['.cache', '.cache/trivium', `.cache/trivium/${sort}`].map((path) => `${root}node_modules/${path}`)

/** Code that another user can change is not run, as opposed to that of root and of the owner of the tree. */
function isTrusted(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || process.getuid === undefined) return true
  const { uid, mode } = found
  return found.isDirectory() && (mode & 0o022) === 0 && [0, process.getuid(), statSync(root).uid].includes(uid)
}

function canBundle() {
  try {
    import.meta.resolve('esbuild')
    accessSync(`${root}node_modules`, constants.W_OK)
    return true
  } catch {
    return false
  }
}
