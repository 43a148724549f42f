/** One row of a page of errors. */
export interface ErrorEntry {
  /** The code by which programs recognise the error; empty where it has none. */
  readonly code: string
  readonly status: number
  /** The message; `{name}` stands for a part that differs between requests. */
  readonly message: string
  readonly when: string
  readonly remedy: string
}

export interface ErrorGroup {
  readonly title: string
  readonly entries: readonly ErrorEntry[]
}

export interface ErrorCatalogue {
  /** The title of the page. */
  readonly title: string
  /** The Markdown before the tables. */
  readonly introduction: string
  /** The heading of the column of codes. */
  readonly codeTitle: string
  readonly groups: readonly ErrorGroup[]
}

/** The explanation of an error. */
export interface ErrorNote {
  readonly when: string
  readonly remedy: string
}

interface NoteOf<Outcome> extends ErrorNote {
  readonly example: Outcome
}

type NoteGroups<Outcome> = Readonly<
  Record<string, Readonly<Record<string, NoteOf<Outcome> | readonly NoteOf<Outcome>[]>>>
>

/** Makes entries of the outcomes of services. @param failureOf returns the code, status and message of an outcome */
export const outcomeEntries = <Outcome>(
  groups: NoteGroups<Outcome>,
  failureOf: (outcome: Outcome) => Pick<ErrorEntry, 'code' | 'status' | 'message'>,
): readonly GroupedEntry[] =>
  Object.entries(groups).flatMap(([group, noted]) =>
    Object.values(noted)
      .flatMap((notes) => ('when' in notes ? [notes] : notes))
      .map(({ example, when, remedy }) => ({ group, when, remedy, ...failureOf(example) })),
  )

export interface GroupedEntry extends ErrorEntry {
  readonly group: string
}

/** Groups the entries, in the order of their first occurrence. */
export const groupsOf = (entries: readonly GroupedEntry[]): readonly ErrorGroup[] =>
  [...Map.groupBy(entries, ({ group }) => group)].map(([title, grouped]) => ({ title, entries: grouped }))

export function renderCatalogue({ title, introduction, codeTitle, groups }: ErrorCatalogue): string {
  const sections = groups.map(
    (group) => `## ${group.title}

| ${codeTitle} | status | message | when | what to do |
|---|---|---|---|---|
${group.entries.map(renderEntry).join('\n')}
`,
  )
  return `<!-- Written by \`npm run docs:errors\` from the services' own tables. -->

# ${title}

${introduction}

${sections.join('\n')}`
}

const renderEntry = ({ code, status, message, when, remedy }: ErrorEntry): string =>
  `| ${code === '' ? 'none' : inCode(code)} | ${status} | ${inCode(message)} | ${when} | ${remedy} |`

/** Writes a text as code of a table cell, where a bar must be escaped. */
const inCode = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``
