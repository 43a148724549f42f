import { globSync, readFileSync } from 'node:fs'
import { basename, posix, resolve } from 'node:path'
import { defineConfig, type MarkdownOptions } from 'vitepress'

const root = resolve(import.meta.dirname, '../..')
const { repository } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const sources = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`

const page = (text: string, link: string) => ({ text, link: `/${link}` })

const decisions = globSync('*.md', { cwd: `${root}/docs/decisions` })
  .sort()
  .map((file) => {
    const name = basename(file, '.md')
    return page(titleOf(`decisions/${file}`), `decisions/${name}`)
  })

const sidebar = [
  {
    text: 'In a host',
    items: [
      page('The contract and its transports', 'contract'),
      page('Repositories', 'repositories'),
      page('Options', 'options'),
      page('Options of transports and clients', 'options/http'),
      page('Options of repositories', 'options/repositories'),
      page('Errors', 'errors'),
      page('Deployment', 'deployment'),
      page('Metrics', 'metrics'),
      page('Who calls', 'callers'),
      page('Access in your own host', 'access'),
      page('Security', 'security'),
    ],
  },
  {
    text: 'Gateway',
    items: [
      page('At a glance', 'gateway'),
      page('Keys and limits', 'keys-and-limits'),
      page('Governance', 'governance'),
      page('Providers and streaming', 'providers'),
      page('Search', 'search'),
      page('Options', 'options/gateway'),
      page('Options of providers', 'options/providers'),
      page('Errors', 'errors/gateway'),
    ],
  },
  {
    text: 'Emulation',
    items: [
      page('At a glance', 'emulation'),
      page('Projects and kinds', 'projects'),
      page('Links and captures', 'links'),
      page('Lab consoles', 'lab-consoles'),
      page('Options', 'options/emulation'),
      page('Errors', 'errors/emulation'),
    ],
  },
  {
    text: 'Storage',
    items: [
      page('At a glance', 'storage'),
      page('Quotas and their states', 'quotas'),
      page('Clones and splits', 'clones'),
      page('Options', 'options/storage'),
      page('Errors', 'errors/storage'),
    ],
  },
  {
    text: 'Further topics',
    items: [
      page('The console', 'console'),
      page('Performance', 'performance'),
      page('Architecture', 'architecture'),
      page('Versions and support', 'versions'),
      page('Style', 'style'),
    ],
  },
  { text: 'Decisions', collapsed: true, items: decisions },
]

// A new page is listed by its title until it has a place above.
const placed = new Set(sidebar.flatMap(({ items }) => items.map(({ link }) => link)))
for (const file of globSync('**/*.md', { cwd: `${root}/docs` }).sort()) {
  const link = `/${file.slice(0, -'.md'.length)}`
  if (link !== '/README' && !placed.has(link)) sidebar[4]?.items.push(page(titleOf(file), link.slice(1)))
}

function titleOf(file: string): string {
  return /^# (.*)$/m.exec(readFileSync(`${root}/docs/${file}`, 'utf8'))?.[1] ?? file
}

/** Returns the link of the site for a link of a document. A file that is not a page of the site is linked in the repository. */
function siteLink(href: string, from: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
  const place = posix.join('docs', posix.dirname(from), href)
  if (!place.startsWith('docs/')) return `${sources}/${place}`
  if (place === 'docs/decisions/') return decisions[0]?.link ?? href
  return href.replace(/(^|\/)README\.md/, '$1index.md')
}

const markdown: MarkdownOptions = {
  config(md) {
    md.core.ruler.push('site-links', ({ tokens, env }) => {
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        if (token.type === 'link_open') token.attrSet('href', siteLink(token.attrGet('href') ?? '', env.relativePath))
      }
    })
  },
}

/** The catalogues of errors and options need the space of the page outline. */
const wideTables = `.wide .VPDoc .container, .wide .VPDoc .content, .wide .VPDoc .content-container { max-width: none !important }
.wide td { vertical-align: top }`

export default defineConfig({
  title: 'Trivium',
  description: 'AI gateway, network labs and storage quotas as embeddable TypeScript libraries',
  base: process.env.SITE_BASE ?? '/',
  srcDir: `${root}/docs`,
  outDir: `${root}/site/build`,
  rewrites: { 'README.md': 'index.md' },
  markdown,
  head: [['style', {}, wideTables]],
  transformPageData: ({ relativePath, frontmatter }) => {
    if (/^(?:errors|options)\//.test(relativePath)) Object.assign(frontmatter, { aside: false, pageClass: 'wide' })
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: 'Documents', link: '/' },
      {
        text: 'API reference',
        items: ['gateway', 'emulation', 'storage'].map((name) => ({
          text: name,
          link: `/api/${name}/index.html`,
          target: '_self',
        })),
      },
      { text: 'Sources', link: sources.replace('/blob/main', '') },
    ],
  },
})
