interface Principal {
  readonly name?: string | undefined
  readonly id?: string | undefined
}

interface Target {
  readonly type?: string | undefined
  readonly users?: readonly Principal[] | undefined
  readonly group?: Principal | undefined
  readonly qtree?: { readonly name?: string | undefined } | undefined
}

/** Names the target of a rule or a report: `users ada, ben in qt1`. */
export function targetName({ type, users = [], group, qtree }: Target): string {
  const place = qtree?.name ? ` in ${qtree.name}` : ''
  const names = users.map(principalName).filter((name) => name !== '')
  if (type === 'user' && names.length > 0) return `${names.length > 1 ? 'users' : 'user'} ${names.join(', ')}${place}`
  if (type === 'user') return `every user${place}`
  if (type === 'group')
    return `${group && principalName(group) ? `group ${principalName(group)}` : 'every group'}${place}`
  return qtree?.name ? `qtree ${qtree.name}` : 'every qtree'
}

/** Names a user or a group: `ada`, or `#1001` without a name; empty for that of a default rule. */
export const principalName = ({ name, id }: Principal): string =>
  name && name !== '*' ? name : id && id !== '*' ? `#${id}` : ''
