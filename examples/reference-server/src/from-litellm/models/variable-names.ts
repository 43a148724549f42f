import { providerOfModel } from '../providers/provider-of-model.ts'
import { variableOf } from '../source/fields.ts'
import { partsOf, type SourceMap, type SourceNode, textIn } from '../source/source-node.ts'

/** Returns the variables that the input refers to or sets, and those from which LiteLLM reads keys that it does not set. */
export function namesOfVariables(source: SourceMap): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: SourceNode): void => {
    const text = textIn(node)
    const variable = text === undefined ? undefined : variableOf(text)
    if (variable !== undefined) names.add(variable)
    for (const part of partsOf(node)) visit(part)
  }
  visit(source)
  const variables = source.entries.get('environment_variables')
  if (variables?.kind === 'map') for (const name of variables.entries.keys()) names.add(name)
  const list = source.entries.get('model_list')
  for (const entry of list?.kind === 'list' ? list.items : []) {
    const params = entry.kind === 'map' ? entry.entries.get('litellm_params') : undefined
    if (params?.kind !== 'map' || params.entries.has('api_key') || params.entries.has('litellm_credential_name'))
      continue
    const model = textIn(params.entries.get('model'))
    const facts =
      model === undefined ? undefined : providerOfModel(model, textIn(params.entries.get('custom_llm_provider')))?.facts
    if (facts?.keyVariable !== undefined) names.add(facts.keyVariable)
  }
  return names
}
