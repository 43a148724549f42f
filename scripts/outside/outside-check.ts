/** What is checked in one project of `tests/outside`. */
export interface OutsideCheck {
  /** The directory in `tests/outside`. */
  readonly project: string
  /** The directories of the project that get our packages. */
  readonly directories: readonly string[]
  /** The checks in the installed project. Each returns its problems, in sentences without their subject. */
  readonly checks: (project: string) => readonly NamedCheck[]
}

export interface NamedCheck {
  readonly name: string
  readonly run: () => Promise<readonly string[]>
}
