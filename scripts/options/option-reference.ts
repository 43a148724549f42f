/** The options of the functions of all packages. */
export interface OptionReference {
  readonly functions: readonly OptionFunctions[]
  /** The types that more than one place takes, which are listed once. */
  readonly sharedTypes: readonly OptionTable[]
}

/** The functions of one entry that take the same options. */
export interface OptionFunctions {
  /** The directory of the package below `packages`. */
  readonly package: string
  /** What an import names, such as `@trivium/gateway-core/http`. */
  readonly specifier: string
  readonly functions: readonly OptionFunction[]
  /** More than one where the function takes one of several types. */
  readonly tables: readonly (OptionTable | SharedType)[]
}

interface OptionFunction {
  readonly name: string
  /** The first sentence of its doc comment. */
  readonly summary: string
  /** Each of its signatures with names and types of the parameters: `adminCheck(password: string | undefined)`. */
  readonly calls: readonly string[]
}

/** A type that has a section of its own. */
export interface SharedType {
  readonly kind: 'shared'
  readonly package: string
  readonly name: string
}

export interface OptionTable {
  readonly kind: 'table'
  /** The directory of the package that declares the type. */
  readonly package: string
  readonly name: string
  readonly summary: string
  readonly options: readonly Option[]
}

export interface Option {
  /** Its name, after the names of the options that contain it: `search.cacheEntries`, `volumes[].name`, `models.*.targets`. */
  readonly path: string
  readonly type: string
  /** The types in `type` that have a section of their own. */
  readonly shared: readonly SharedType[]
  readonly required: boolean
  /** What `@default` states. */
  readonly default: string | undefined
  /** Whether it consists of options that are all optional, so that each has a default of its own. */
  readonly consistsOfDefaults: boolean
  readonly meaning: string
  /** The file that declares it. */
  readonly file: string
}
