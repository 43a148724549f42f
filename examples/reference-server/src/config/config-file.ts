import type { Mistake } from './read/mistakes.ts'
import type { Variables } from './read/variables-in.ts'
import type { Sections } from './schema/sections.ts'

/** A file without mistakes. */
export interface ConfigFile {
  /** As the operator named it. */
  readonly file: string
  /** What was read of it. */
  readonly text: string
  /** The directory in which packages are looked for first. */
  readonly directory: string
  /** Variables that the file sets, by their names in upper case. */
  readonly variables: Variables
  readonly sections: Sections
  /** The variables of the environment that it refers to. They do not name upstreams or engines besides. */
  readonly referenced: ReadonlySet<string>
  /** The variables of the environment to which variables of the file refer, by the names of the latter in upper case. */
  readonly references: ReadonlyMap<string, string>
  /** Describes mistakes that are found later, with their places. */
  describe(mistakes: readonly Mistake[]): string
  /** Replaces values of variables that the file refers to by their names. */
  conceal(message: string): string
}
