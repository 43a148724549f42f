/** Reads `showvminfo --machinereadable`: `name=value`, where both can be quoted. Ignores other lines. */
export function parseMachineReadable(output: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const line of output.split(/\r?\n/)) {
    const [, quotedName, name, quoted, plain] = /^(?:"([^"]+)"|([^"=]+))=(?:"(.*)"|([^"]*))$/.exec(line) ?? []
    const key = quotedName ?? name
    if (key !== undefined) values.set(key, quoted ?? plain ?? '')
  }
  return values
}

export interface ListedMachine {
  readonly name: string
  readonly uuid: string
}

/** Reads `list vms`: `"name" {uuid}`. Ignores machines that are inaccessible. */
export function parseMachineList(output: string): readonly ListedMachine[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [, name, uuid] = /^"(.+)" \{([0-9a-f-]{36})\}$/i.exec(line) ?? []
    return name === undefined || uuid === undefined || name === '<inaccessible>' ? [] : [{ name, uuid }]
  })
}

/** Reads `API version:  7_0` of `list systemproperties`, as a number: 700. */
export function parseApiVersion(output: string): number | undefined {
  const [, major, minor] = /^API version:\s+(\d+)_(\d+)/m.exec(output) ?? []
  return major === undefined || minor === undefined ? undefined : Number(major) * 100 + Number(minor)
}
