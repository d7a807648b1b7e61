import type { ReactNode } from 'react'
import { useDeferredComponent } from '../../../ui/use-deferred-component.ts'

const loadMentionLinks = () => import('./mention-links.tsx').then((module) => module.MentionLinks)

/** Shows texts in which `@name` leads to a user's profile, once the page is shown. */
export function WithMentions({ names, children }: { names: string[] | undefined; children: ReactNode }) {
  const Links = useDeferredComponent(!!names?.length, loadMentionLinks)
  return Links ? <Links names={names ?? []}>{children}</Links> : children
}
