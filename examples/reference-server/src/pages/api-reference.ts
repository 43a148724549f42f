import type { OpenApiContent, OpenApiDocument, OpenApiOperation } from '@trivium/http-contract/openapi'

/** Renders the API reference as one static page, without scripts and without requests to other origins. */
export function renderApiReference(document: OpenApiDocument): string {
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags?.[0] ?? 'Other')
  const sections = [...groups].map(([tag, entries]) => ({ tag, anchor: anchorOf(tag), entries }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}: API reference</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Sections">
<h1>${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>
<ul>${sections.map(({ tag, anchor, entries }) => `<li><a href="#${anchor}">${escapeHtml(tag)}</a> <small>${entries.length}</small></li>`).join('')}</ul>
<p><a href="openapi.json">openapi.json</a></p>
</nav>
<main>
${sections.map(({ tag, anchor, entries }) => `<section id="${anchor}"><h2>${escapeHtml(tag)}</h2>${entries.map(renderOperation).join('')}</section>`).join('\n')}
</main>
</body>
</html>
`
}

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

const operationsOf = (document: OpenApiDocument): readonly Entry[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

function renderOperation({ method, path, operation }: Entry): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}${required ? ', required' : ''}</td><td>${describe(schema)}</td></tr>`,
  )
  const responses = Object.entries(operation.responses).map(
    ([status, response]) =>
      `<details><summary>${status} ${contentTypes(response)}</summary>${schemasOf(response)}</details>`,
  )
  return `<details class="operation"><summary><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary ?? '')}</summary>
${operation.description ? `<p>${escapeHtml(operation.description)}</p>` : ''}
${parameters.length > 0 ? `<table><tbody>${parameters.join('')}</tbody></table>` : ''}
${operation.requestBody ? `<details open><summary>Body</summary>${schemasOf(operation.requestBody)}</details>` : ''}
${responses.join('')}</details>`
}

const contentTypes = ({ content = {} }: { readonly content?: OpenApiContent }): string =>
  Object.keys(content).map(escapeHtml).join(', ')

const schemasOf = ({ content = {} }: { readonly content?: OpenApiContent }): string =>
  `<pre>${escapeHtml(
    Object.values(content)
      .map((media) => JSON.stringify(media, null, 2))
      .join('\n'),
  )}</pre>`

const describe = (schema: object): string => `<code>${escapeHtml(JSON.stringify(schema))}</code>`

const anchorOf = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;grid-template-columns:minmax(12rem,16rem) 1fr}
nav{padding:1rem;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;box-sizing:border-box}
nav ul{list-style:none;padding:0}h1{font-size:1.2rem}main{padding:1rem;min-width:0}
.operation{border:1px solid #8884;border-radius:6px;margin:.4rem 0;padding:.4rem .7rem}
summary{cursor:pointer;overflow-wrap:anywhere}b{display:inline-block;min-width:4.2em}
.GET{color:#07804a}.POST{color:#0b62c4}.PUT,.PATCH{color:#9a5b00}.DELETE{color:#c02020}
pre{overflow:auto;max-height:24rem;background:#8881;padding:.6rem}td{padding:.1rem .8rem .1rem 0;vertical-align:top;overflow-wrap:anywhere}
@media(max-width:700px){body{grid-template-columns:1fr}nav{position:static}}`
