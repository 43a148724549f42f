import { type KnownPrincipal, type Principal, VolumeRefusal } from '@trivium/storage-core/ports'
import { getent } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'

type Database = 'passwd' | 'group'

/** Looks up the name of an id in the system's database. Returns the id alone where it has no name. */
export async function knownPrincipal(database: Database, id: string, run: RunProgram): Promise<KnownPrincipal> {
  const entry = await lookUp(database, id, run)
  return entry ? { id, name: entry.name } : { id }
}

/** Returns the numeric id of a principal. @throws VolumeRefusal `unknown-principal` */
export async function principalId(database: Database, principal: Principal, run: RunProgram): Promise<string> {
  if ('id' in principal) {
    if (/^\d{1,10}$/.test(principal.id)) return principal.id
    throw new VolumeRefusal('unknown-principal', `'${principal.id}' is not the number of a user or a group`)
  }
  const entry = await lookUp(database, principal.name, run)
  if (entry?.name === principal.name) return entry.id
  throw new VolumeRefusal(
    'unknown-principal',
    `The system has no ${database === 'passwd' ? 'user' : 'group'} '${principal.name}'`,
  )
}

/** The exit status of `getent` for an unknown key. */
const NOT_FOUND = 2

async function lookUp(
  database: Database,
  key: string,
  run: RunProgram,
): Promise<{ name: string; id: string } | undefined> {
  try {
    const output = await run(getent, ['--', database, key])
    const [, name, id] = /^([^:\n]+):[^:\n]*:(\d{1,10}):.*\n$/.exec(output) ?? []
    if (name === undefined || id === undefined) throw new UnexpectedOutput('getent', output)
    return { name, id }
  } catch (error) {
    if (error instanceof ProgramFailure && error.exitCode === NOT_FOUND) return undefined
    throw error
  }
}
