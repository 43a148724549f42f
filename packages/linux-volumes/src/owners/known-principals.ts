import { type KnownPrincipal, type Principal, VolumeRefusal } from '@trivium/storage-core/ports'
import { getent } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'

type Database = 'passwd' | 'group'

/** Maximum number of ids in the arguments of one program. */
const ID_BATCH = 1_000

/**
 * Looks up the names of ids in the system's database, many with one program. An id without a name is returned alone.
 */
export async function knownPrincipals(
  database: Database,
  ids: readonly string[],
  run: RunProgram,
): Promise<readonly KnownPrincipal[]> {
  const names = new Map<string, string>()
  for (let start = 0; start < ids.length; start += ID_BATCH) {
    for (const { id, name } of await lookUp(database, ids.slice(start, start + ID_BATCH), run)) {
      if (!names.has(id)) names.set(id, name)
    }
  }
  return ids.map((id) => {
    const name = names.get(id)
    return name === undefined ? { id } : { id, name }
  })
}

/** Returns the numeric id of a principal. @throws VolumeRefusal `unknown-principal` */
export async function principalId(database: Database, principal: Principal, run: RunProgram): Promise<string> {
  if ('id' in principal) {
    if (/^\d{1,10}$/.test(principal.id)) return principal.id
    throw new VolumeRefusal('unknown-principal', `'${principal.id}' is not the number of a user or a group`)
  }
  const [entry] = await lookUp(database, [principal.name], run)
  if (entry?.name === principal.name) return entry.id
  throw new VolumeRefusal(
    'unknown-principal',
    `The system has no ${database === 'passwd' ? 'user' : 'group'} '${principal.name}'`,
  )
}

/** The exit status of `getent` where a key is unknown. */
const NOT_FOUND = 2

async function lookUp(
  database: Database,
  keys: readonly string[],
  run: RunProgram,
): Promise<readonly { readonly name: string; readonly id: string }[]> {
  const entries: { readonly name: string; readonly id: string }[] = []
  const onLine = (line: string) => {
    const [, name, id] = /^([^:]+):[^:]*:(\d{1,10}):.*$/.exec(line) ?? []
    if (name === undefined || id === undefined) throw new UnexpectedOutput('getent', line)
    entries.push({ name, id })
  }
  try {
    await run(getent, ['--', database, ...keys], { onLine })
    if (entries.length === 0) throw new UnexpectedOutput('getent', '')
  } catch (error) {
    // The others are printed nevertheless.
    if (!(error instanceof ProgramFailure && error.exitCode === NOT_FOUND)) throw error
  }
  return entries
}
