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

/** An outcome of a service, and what its page tells of it. */
export interface Told<Outcome> {
  readonly outcome: Outcome
  readonly when: string
  readonly remedy: string
}

/** What a group tells of one type of outcome. */
export interface ToldType<Outcome> {
  readonly group: string
  readonly told: readonly Told<Outcome>[]
}

/** Has an entry for each type of outcome that a service knows, so that none is left out of the page. */
export type ToldOutcomes<Outcome extends { readonly type: string }> = {
  readonly [Type in Outcome['type']]: ToldType<Extract<Outcome, { readonly type: Type }>>
}

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
