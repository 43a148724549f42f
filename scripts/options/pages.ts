import { type OptionArea, optionAreas } from './areas.ts'
import type { Option, OptionFunctions, OptionReference, OptionTable, SharedType } from './option-reference.ts'

const NOTICE = '<!-- Written by `npm run docs:options` from the types and doc comments of the packages. -->'

/** Returns the pages of the options reference by their files. */
export function optionPages(reference: OptionReference): Readonly<Record<string, string>> {
  const parts = [...reference.functions, ...reference.sharedTypes]
  for (const part of parts) pageOf(part.package)
  const areas = optionAreas.filter(({ packages }) => parts.some((part) => packages.includes(part.package)))
  return {
    'docs/options.md': renderIndex(areas, reference),
    ...Object.fromEntries(areas.map((area) => [`docs/options/${area.page}.md`, renderArea(area, reference)])),
  }
}

function pageOf(name: string): string {
  const area = optionAreas.find(({ packages }) => packages.includes(name))
  if (!area) throw new Error(`The functions of "${name}" take options. Give it a page in scripts/options/areas.ts.`)
  return area.page
}

function renderIndex(areas: readonly OptionArea[], { functions }: OptionReference): string {
  const sections = areas.map(({ page, title, packages }) => {
    const rows = inOrder(packages, functions).flatMap((group) =>
      group.functions.map(
        ({ name, summary }) =>
          `| [\`${name}\`](options/${page}.md#${anchorOf(titleOf(group))}) | \`${group.specifier}\` | ${inCell(summary)} |`,
      ),
    )
    return `## [${title}](options/${page}.md)\n\n| function | import | what it does |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return `${NOTICE}

# Options

Every exported function that takes options, with all of its options. \`npm run docs:options\` writes the pages from the types and
doc comments of the packages.

${sections.join('\n')}`
}

function renderArea({ page, title, packages }: OptionArea, { functions, sharedTypes }: OptionReference): string {
  const sections = packages.flatMap((name) => {
    const parts = [
      ...inOrder([name], functions).map((group) => renderFunctions(group, page)),
      ...inOrder([name], sharedTypes).map((table) => renderShared(table, page)),
    ]
    return parts.length > 0 ? [`## ${name}\n\n${parts.join('\n')}`] : []
  })
  return `${NOTICE}

# ${title}

\`a.b\` is the option \`b\` in the object \`a\`, \`a[].b\` is in each element of the list \`a\`, and \`a.*.b\` is in each value of the
record \`a\`. [All functions with options](../options.md)

${sections.join('\n')}`
}

const inOrder = <Part extends { readonly package: string }>(packages: readonly string[], parts: readonly Part[]) =>
  packages.flatMap((name) => parts.filter((part) => part.package === name))

const titleOf = ({ functions }: OptionFunctions): string => functions.map(({ name }) => `\`${name}\``).join(' and ')

/** Returns the anchor that GitHub and the site give to a heading of words and code. */
const anchorOf = (title: string): string => title.replaceAll('`', '').replaceAll(' ', '-').toLowerCase()

function renderFunctions(group: OptionFunctions, page: string): string {
  const { functions, specifier, tables } = group
  const [first] = functions
  const lines =
    functions.length === 1 && first
      ? first.summary
      : functions.map(({ name, summary }) => `- \`${name}\`: ${summary}`).join('\n')
  const parts = tables.map((table) => {
    if (table.kind === 'shared') return `Its options are those of ${linkTo(table, page)}.`
    return `${tables.length > 1 ? `\`${table.name}\`: ${table.summary}\n\n` : ''}${renderTable(table, page)}`
  })
  return `### ${titleOf(group)}

${escapeMarkup(lines)}

\`import { ${functions.map(({ name }) => name).join(', ')} } from '${specifier}'\`

${functions.flatMap(({ calls }) => calls.map((call) => `- \`${call}\``)).join('\n')}

${parts.join('\n\n')}
`
}

const renderShared = (table: OptionTable, page: string): string => `### \`${table.name}\`

${escapeMarkup(table.summary)}

${renderTable(table, page)}
`

const renderTable = ({ options }: OptionTable, page: string): string => `| option | type | default | meaning |
|---|---|---|---|
${options.map((option) => renderOption(option, page)).join('\n')}`

const renderOption = (option: Option, page: string): string =>
  `| \`${option.path}\` | ${renderType(option, page)} | ${renderDefault(option)} | ${inCell(option.meaning)} |`

/** Types that a page of the documents describes. */
const described: Readonly<Record<string, string>> = { AccessRules: '../callers.md#the-rule' }

function renderType({ type, shared }: Option, page: string): string {
  if (Object.hasOwn(described, type)) return `[${inCode(type)}](${described[type]})`
  const [only] = shared
  if (shared.length === 1 && only) return linkTo(only, page, type)
  return [inCode(type), ...shared.map((one) => linkTo(one, page))].join(' ')
}

const linkTo = ({ package: name, name: title }: SharedType, page: string, text = title): string =>
  `[${inCode(text)}](${pageOf(name) === page ? '' : `${pageOf(name)}.md`}#${anchorOf(title)})`

function renderDefault({ required, default: stated, consistsOfDefaults }: Option): string {
  if (required) return '**required**'
  if (stated === undefined) return consistsOfDefaults ? 'those of its options' : ''
  return inCell(stated.replace(VALUE, (value) => `\`${value}\``))
}

/** A value of code at the beginning of what `@default` states. */
const VALUE = /^(?:'[^']*'|\[.*\]$|-?\d[\d_,.]*$|true$|false$|\w+\.\w+$|[a-z]+[A-Z]\w*$)/

const inCode = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

const inCell = (text: string): string => escapeMarkup(text.replaceAll('|', '\\|'))

/** Escapes what the site would read as HTML, outside code. */
const escapeMarkup = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('`')
