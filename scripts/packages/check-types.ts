import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

const common: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2024.d.ts', 'lib.esnext.array.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
}

/** The resolutions of applications: Node 16, current Node, and bundlers. */
const resolutions: readonly ts.CompilerOptions[] = [
  { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
]

/** The declarations of TypeScript itself, which are the same for every project and the largest part to parse. */
const libraries = new Map<string, ts.SourceFile | undefined>()

export interface TypeCheck {
  readonly directory: string
  /** Code by file name. */
  readonly modules: ReadonlyMap<string, string>
  /** Packages of ours whose declarations are checked too. Installed siblings are checked in their own projects. */
  readonly packages: readonly string[]
  /** Packages that may be absent for our declarations, since only some users need them. */
  readonly optional: readonly string[]
}

/**
 * Compiles code in the project against its installed packages, with each resolution.
 *
 * @returns the problems, in sentences
 */
export function checkTypes({ directory, modules, packages, optional }: TypeCheck): readonly string[] {
  for (const [name, code] of modules) writeFileSync(join(directory, name), code)
  const files = [...modules.keys()].map((name) => join(directory, name))
  return resolutions.flatMap((resolution) => {
    // CommonJS can require ESM since Node 22, which only this resolution supports.
    const isNext = resolution.moduleResolution === ts.ModuleResolutionKind.NodeNext
    const roots = isNext ? files : files.filter((file) => !file.endsWith('.cts'))
    const options = { ...common, ...resolution, typeRoots: [join('node_modules', '@types')] }
    const program = ts.createProgram(roots, options, hostFor(directory, options))
    const label = ts.ModuleResolutionKind[resolution.moduleResolution ?? 0]
    const diagnostics = [...program.getGlobalDiagnostics(), ...ownDiagnostics(program, packages)]
    return diagnostics.flatMap(({ file, start, messageText }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, ' ')
      const [, absent = ''] = /^Cannot find module '((?:@[^/']+\/)?[^/']+)/.exec(message) ?? []
      if (file?.fileName.includes('/node_modules/') && optional.includes(absent)) return []
      const line = file && start !== undefined ? `:${file.getLineAndCharacterOfPosition(start).line + 1}` : ''
      return [`${label}: ${file ? `${relative(directory, file.fileName)}${line}` : 'options'}: ${message}`]
    })
  })
}

/** Returns modules that use every entry, as ESM and as CommonJS. */
export const entryModules = (specifiers: readonly string[]): ReadonlyMap<string, string> =>
  new Map([
    ['entries.ts', specifiers.map((entry, index) => `export * as e${index} from '${entry}'\n`).join('')],
    ['entries.cts', specifiers.map((entry, index) => `export import e${index} = require('${entry}')\n`).join('')],
  ])

/** Returns the diagnostics of the project's own files and of our packages' declarations, without those of other packages. */
const ownDiagnostics = (program: ts.Program, packages: readonly string[]): readonly ts.Diagnostic[] =>
  program
    .getSourceFiles()
    .filter(
      ({ fileName }) =>
        !fileName.includes('/node_modules/') || packages.some((name) => fileName.includes(`/node_modules/${name}/`)),
    )
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])

function hostFor(directory: string, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getCurrentDirectory = () => directory
  host.getSourceFile = (file, settings, ...rest) => {
    if (!/\/typescript\/lib\/lib\./.test(file)) return read(file, settings, ...rest)
    if (!libraries.has(file)) libraries.set(file, read(file, settings, ...rest))
    return libraries.get(file)
  }
  return host
}
