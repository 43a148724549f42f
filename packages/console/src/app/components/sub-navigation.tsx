import { Link, useLocation } from 'wouter'
import './sub-navigation.css'

export interface SubPage {
  readonly path: string
  readonly name: string
}

/** Shows links to the pages of a view. */
export function SubNavigation({ label, pages }: { readonly label: string; readonly pages: readonly SubPage[] }) {
  const [location] = useLocation()
  return (
    <nav className="sub-navigation" aria-label={label}>
      {pages.map(({ path, name }) => (
        <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
