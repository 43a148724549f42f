import { parseArgs } from 'node:util'
import { writeOutput } from './output/write-output.ts'
import { reportText } from './report/report-text.ts'
import { SourceError } from './source/source-error.ts'
import { translate } from './translate.ts'

const HELP = `Translates a configuration file of the LiteLLM proxy.

npm run from-litellm -- config.yaml [--output FILE [--force]]

  --output FILE   writes the translation to a file of its owner only, instead of the standard output
  --force         replaces an existing file
  --help          prints this text

The report is on the standard error. Exit code: 0 where everything was translated, 2 where something was left out,
1 where a file could not be read or written.
`

/** Runs the program. @returns its exit code */
function run(args: readonly string[]): number {
  const { values, positionals } = argumentsOf(args)
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new SourceError('Name one file: npm run from-litellm -- config.yaml. See --help.')
  const { text, report } = translate(file)
  if (values.output === undefined) process.stdout.write(text)
  else writeOutput(values.output, text, values.force === true)
  process.stderr.write(reportText(report))
  return report.some(({ finding }) => finding === 'left out') ? 2 : 0
}

function argumentsOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { output: { type: 'string' }, force: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('.')
    throw new SourceError(`${reason}. See --help.`)
  }
}

try {
  process.exitCode = run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SourceError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
