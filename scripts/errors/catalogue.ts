/** One error as its page tells it. */
export interface ErrorEntry {
  /** By which it is recognised. */
  readonly code: string
  readonly status: number
  /** As it is answered; `{name}` stands for what differs from request to request. */
  readonly message: string
  readonly when: string
  readonly remedy: string
}

export interface ErrorGroup {
  readonly title: string
  readonly entries: readonly ErrorEntry[]
}

export interface ErrorCatalogue {
  /** Of the page. */
  readonly title: string
  /** Markdown before the tables. */
  readonly introduction: string
  /** Heads the column of the codes. */
  readonly codeTitle: string
  readonly groups: readonly ErrorGroup[]
}

/** What is written beside the words of an error. */
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

/** The outcomes of services, as `word` words them. */
export const outcomeEntries = <Outcome>(
  groups: NoteGroups<Outcome>,
  word: (outcome: Outcome) => Pick<ErrorEntry, 'code' | 'status' | 'message'>,
): readonly GroupedEntry[] =>
  Object.entries(groups).flatMap(([group, noted]) =>
    Object.values(noted)
      .flatMap((notes) => ('when' in notes ? [notes] : notes))
      .map(({ example, when, remedy }) => ({ group, when, remedy, ...word(example) })),
  )

export interface GroupedEntry extends ErrorEntry {
  readonly group: string
}

/** In the order in which groups, and entries of a group, are first met. */
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

/** A bar would begin a column, even there. */
const inCode = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``
