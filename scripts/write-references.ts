import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/**
 * Writes the `references` of every tsconfig from the imports of its sources, and those of the root to every project. With
 * `--check` it changes nothing, and fails where one is out of date.
 */
interface Project {
  readonly file: string
  readonly options: ts.CompilerOptions
  readonly sources: readonly string[]
}

const root = process.cwd()
const files = globSync(['{packages,examples}/*/tsconfig*.json', 'tsconfig.repository.json']).sort()
// A framework's own settings have a file next to the project that checks them.
const projects = files.map(readProject).filter(({ options }) => options.composite)
const projectOf = new Map(projects.flatMap((project) => project.sources.map((source) => [source, project] as const)))

const outdated = [
  ...projects.map((project) => ({ file: project.file, targets: referencesOf(project) })),
  { file: 'tsconfig.json', targets: projects.map(({ file }) => file) },
].filter(({ file, targets }) => update(file, targets))

for (const { file } of outdated) console.log(`The references of ${file} are ${isCheck() ? 'out of date' : 'written'}.`)
if (isCheck() && outdated.length > 0) {
  console.error('Run `node scripts/write-references.ts`.')
  process.exitCode = 1
}

function isCheck(): boolean {
  return process.argv.includes('--check')
}

function readProject(file: string): Project {
  const { config } = ts.readConfigFile(file, ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, dirname(file)))
  return { file, options, sources: fileNames }
}

function referencesOf(project: Project): readonly string[] {
  const found = new Set<string>()
  for (const source of project.sources) {
    for (const { fileName } of ts.preProcessFile(readFileSync(source, 'utf8'), true, true).importedFiles) {
      const { resolvedModule } = ts.resolveModuleName(fileName, source, project.options, ts.sys)
      const target = projectOf.get(resolvedModule?.resolvedFileName ?? '')
      if (target && target !== project) found.add(target.file)
    }
  }
  return [...found].sort()
}

/** @returns whether the file was out of date */
function update(file: string, targets: readonly string[]): boolean {
  const text = readFileSync(file, 'utf8')
  const { references: _, ...config } = JSON.parse(text)
  const references = targets.map((target) => ({ path: relative(dirname(file), target).replace(/^(?!\.)/, './') }))
  const written = `${JSON.stringify(references.length > 0 ? { ...config, references } : config, null, 2)}\n`
  if (JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(written))) return false
  if (!isCheck()) writeFileSync(file, written)
  return true
}
